"""Words to lines, columns and reading order; running heads, margin notes and footnotes set apart."""
