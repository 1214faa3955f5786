"""A package, so that its browser ends with its last test: Playwright keeps a loop until then."""
