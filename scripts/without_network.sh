#!/usr/bin/env bash
# Runs a command where there is no network but loopback: what passes there asks nobody outside the machine.
# Usage: scripts/without_network.sh COMMAND [ARGUMENT ...]
set -euo pipefail

[ $# -gt 0 ] || { echo "Usage: $0 COMMAND [ARGUMENT ...]" >&2; exit 2; }
namespace=(unshare --net)
[ "$(id -u)" = 0 ] || namespace+=(--map-root-user)

# A namespace begins with a loopback that is down; SIOCSIFFLAGS is what `ip link set lo up` does.
loopback='
import fcntl, os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
    fcntl.ioctl(control, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))
with socket.socket() as probe:
    probe.settimeout(5)
    try:
        probe.connect(("198.51.100.7", 443))
    except OSError:
        pass
    else:
        sys.exit("There is a network here after all.")
os.execvp(sys.argv[1], sys.argv[1:])
'
exec "${namespace[@]}" python3 -c "$loopback" "$@"
