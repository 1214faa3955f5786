"""A visitor in the shop, from the page to the answer an agent reads."""
