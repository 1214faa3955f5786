"""What browser traffic gives away: secrets, personal data, open endpoints, plain transport."""
