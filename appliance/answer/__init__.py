"""Evidence to Answer: every statement with a verified quotation."""
