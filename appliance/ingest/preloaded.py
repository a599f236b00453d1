"""What every worker needs and the server process makes once: importing this module makes it.

Rules of this module: only the server from which workers are forked imports it; what it makes is read
and never changed. The shapes of known characters take 0.25 s, more than a short document.
"""

from appliance.ingest.pdf import known_shapes

known_shapes()
