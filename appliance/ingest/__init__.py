"""PDF to Document: nothing here knows of the store, the models or the page."""
