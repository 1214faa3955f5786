"""An audit as text, JSON and SARIF."""
