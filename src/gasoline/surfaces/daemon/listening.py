"""Taking a port: light to import, so that it comes before everything that takes time."""

import os
import socket


def bind(host: str, port: int) -> socket.socket:
    """Take the port, or raise OSError. Port 0 takes any free one."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        # At once: until somebody listens, Linux lets a second server bind the same port. Whoever
        # connects from now on waits for the rest of our start.
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening
