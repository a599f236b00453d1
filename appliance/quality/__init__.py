"""What a document should hold against what was read out of it, page by page.

Rules of this package: everything is told from what the library holds, so that the box can tell it without
the PDFs; nothing is decided by it, nothing is left out of a search for it. Each doubt is a sentence with
its page and, where there is one, its box, for a person who then looks at that page.
"""
