"""Web pages, Markdown and text, printed by a browser so that the PDF reader reads them too."""
