"""A package, so that its browser ends with its last test: Playwright keeps a running loop until then."""
