"""Reports of a test run: for people, for dashboards, for AI agents."""
