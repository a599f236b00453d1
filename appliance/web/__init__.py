"""The page on the LAN: flask and waitress are imported here alone.

`app.create_app(library, settings=...)` makes the app, `serve.serve(library, settings)` runs it.
"""
