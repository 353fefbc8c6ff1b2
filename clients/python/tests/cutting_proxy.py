"""A proxy whose connections the tests cut."""

import socket
import threading
from urllib.parse import urlsplit


class CuttingProxy:
    def __init__(self, server):
        behind = urlsplit(server)
        self._behind = (behind.hostname, behind.port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self._listening.getsockname()[1]
        self._open = set()
        self._limit = {"sent": None, "received": None}
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """Closes all connections; new ones are accepted."""
        for one in list(self._open):
            _shut(one)

    def cut_after(self, count, direction):
        """Ends the next connection on which so many bytes were "sent" by the client or "received" by it; once."""
        self._limit[direction] = count

    def close(self):
        _shut(self._listening)  # closed only, it would take one more connection
        self.cut()

    def _accept(self):
        while True:
            try:
                near, _ = self._listening.accept()
                far = socket.create_connection(self._behind)
            except OSError:
                return
            self._open |= {near, far}
            threading.Thread(target=self._pump, args=(near, far, "sent"), daemon=True).start()
            threading.Thread(target=self._pump, args=(far, near, "received"), daemon=True).start()

    def _pump(self, source, target, direction):
        moved = 0
        try:
            while True:
                block = source.recv(8192)
                if not block:
                    break
                moved += len(block)
                limit = self._limit[direction]
                if limit is not None and moved > limit:
                    self._limit[direction] = None
                    self.cuts += 1
                    break
                target.sendall(block)
        except OSError:
            pass
        finally:
            _shut(source)
            _shut(target)
            self._open -= {source, target}


def _shut(one):
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    one.close()
