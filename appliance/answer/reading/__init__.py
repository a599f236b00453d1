"""Which candidate answers a question, and how sure that is: features, one fitted order, one decision."""
