"""The pages that show documents, clauses, tables and figures."""
