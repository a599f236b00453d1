"""What every worker needs and the server process makes once: importing this module makes it.

A document of a page is read, so that patterns, vocabularies and schemes are there for each worker to copy.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from appliance.core.settings import ImageSettings, IngestSettings
from appliance.ingest.pdf.reader import known_shapes
from appliance.ingest.pdf.rendering import render, sample
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes

known_shapes()
with TemporaryDirectory(prefix="appliance-") as _folder:
    _path = Path(_folder) / "sample.pdf"
    _path.write_bytes(sample())
    read_document(_path, "sample", IngestSettings(ocr=False), load_schemes(Path()))
    render(_path, ImageSettings(), Path(_folder))
