"""References: found in the text by grammars, then resolved to one place."""
