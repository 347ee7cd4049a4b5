"""A wire to Neo4j that swallows a reply: the commit happens, and who asked for it never hears."""

import contextlib
import socket
import threading
from typing import Final
from urllib.parse import urlsplit

_COMMIT: Final = b"\x00\x02\xb0\x12\x00\x00"
_LOOPBACK: Final = "127.0.0.1"


class Wire:
    """Carries Bolt between any number of drivers and one server."""

    def __init__(self, server_uri: str) -> None:
        server = urlsplit(server_uri)
        self._server = server.hostname or "", server.port or 0
        self._listener = socket.create_server((_LOOPBACK, 0))
        self._armed = threading.Event()
        self._lock = threading.Lock()
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def uri(self) -> str:
        """Where drivers connect to."""
        return f"bolt://{_LOOPBACK}:{self._listener.getsockname()[1]}"

    def cut_next_commit(self) -> None:
        """Swallow the reply to the next commit, whoever asks for it, and hang up."""
        self._armed.set()

    def close(self) -> None:
        """Take no more connections."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client:
            try:
                server = socket.create_connection(self._server, 5)
            except OSError:
                return
            server.settimeout(None)
            cut = threading.Event()
            with server:
                back = threading.Thread(target=self._back, args=(server, client, cut), daemon=True)
                back.start()
                self._forth(client, server, cut)
                back.join()

    def _forth(self, client: socket.socket, server: socket.socket, cut: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := client.recv(65_536):
                if _COMMIT in data and self._is_to_cut():
                    cut.set()
                server.sendall(data)
        _hang_up(server)

    def _back(self, server: socket.socket, client: socket.socket, cut: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while (data := server.recv(65_536)) and not cut.is_set():
                client.sendall(data)
        _hang_up(client)

    def _is_to_cut(self) -> bool:
        with self._lock:
            armed = self._armed.is_set()
            self._armed.clear()
            self.cuts += armed
            return armed


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
