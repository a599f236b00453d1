"""What every worker needs and the server process makes once: importing this module makes it."""

from appliance.ingest.pdf.reader import known_shapes

known_shapes()
