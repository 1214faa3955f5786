"""`gasoline demo`: a shop with a fault, a visitor in a real browser, and what Gasoline says."""
