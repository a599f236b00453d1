"""The reader of PDF files: words, glyphs, drawings, hidden text, page images."""
