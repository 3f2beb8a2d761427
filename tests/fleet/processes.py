"""The programs of a fleet: a store, nodes, a balancer.

Owns: starting and ending them, and waiting until they listen. Must not know: what is asked of them.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

# Behind this folder, which has a `talk` of its own.
sys.path.append(str(Path(__file__).parents[2] / "bindings-python/tests"))
from ports import free_port  # noqa: E402

# Most seconds that a program needs to start on a busy machine.
START = 30.0


class Failed(Exception):
    """Something was not as it has to be."""


def until(holds: Callable[[], bool], what: str, seconds: float = START) -> None:
    """Waits for something, with a bound.

    Raises:
        Failed: It did not come true in time.
    """
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Failed(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.05)


def listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def ran(name: str, check: Callable[[], str]) -> bool:
    """Runs one check, and says how it ended; whether it held."""
    began = time.monotonic()
    try:
        met = check()
    except (Failed, OSError) as failure:
        print(f"FAILED {name} - {type(failure).__name__}: {failure}", flush=True)
        return False
    print(f"{name}: {met} ({time.monotonic() - began:.1f} s)", flush=True)
    return True


class Program:
    """A program with a port, in a folder that goes with it."""

    def __init__(self, name: str, port: int, command: list[str], reload_by: signal.Signals | None = None) -> None:
        self.name, self.port, self.command, self._reload_by = name, port, command, reload_by
        self.log = Path(tempfile.mkstemp(prefix=f"fleet-{name}-")[1])
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, wait: bool = True) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        if wait:
            self.wait()

    def wait(self) -> None:
        until(self._is_up, f"{self.name} listens ({self.log.read_text(errors='replace')[-500:]})")

    def _is_up(self) -> bool:
        if self._process is not None and self._process.poll() is not None:
            raise Failed(f"{self.name} ended: {self.log.read_text(errors='replace')[-2000:]}")
        return listens(self.port)

    def reload(self) -> None:
        """Has it read its configuration again, while it goes on."""
        if self._process is None or self._reload_by is None:
            raise Failed(f"{self.name} cannot be reloaded")
        self._process.send_signal(self._reload_by)

    def kill(self) -> None:
        """As a machine that lost its power."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def end(self) -> None:
        if self._reload_by is not None and self._process is not None:
            # It has processes of its own, which it ends if it is asked.
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(START)
        self.kill()
        self.log.unlink(missing_ok=True)


def store(server: str, folder: str) -> Program:
    port = free_port()
    options = ["--bind", "127.0.0.1", "--port", str(port), "--dir", folder, "--appendonly", "yes", "--save", ""]
    return Program("store", port, [server, *options])


def haproxy(program: str, folder: str, nodes: list[Program]) -> Program:
    """Round robin, without cookies: each request may go to any node."""
    port = free_port()
    servers = "".join(f"  server {n.name} 127.0.0.1:{n.port} check inter 300 fall 1 rise 1\n" for n in nodes)
    config = Path(folder) / "haproxy.cfg"
    config.write_text(
        "defaults\n  mode http\n  timeout connect 2s\n  timeout client 60s\n  timeout server 60s\n"
        "  retries 3\n  option redispatch\n  retry-on conn-failure\n"
        f"frontend fleet\n  bind 127.0.0.1:{port}\n  default_backend nodes\n"
        f"backend nodes\n  balance roundrobin\n{servers}"
    )
    return Program("haproxy", port, [program, "-W", "-db", "-f", str(config)], signal.SIGUSR2)


def nginx(program: str, folder: str, nodes: list[Program]) -> Program:
    """The same with nginx, which tries another node only where none has a request.

    It leaves no node out for a while: here one after the other is killed, and is back at once.
    """
    port = free_port()
    servers = "".join(f"    server 127.0.0.1:{n.port} max_fails=0;\n" for n in nodes)
    config = Path(folder) / "nginx.conf"
    temporary = "".join(
        f"  {kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config.write_text(
        f"daemon off;\nworker_processes 1;\npid {folder}/nginx.pid;\nerror_log stderr warn;\n"
        "events { worker_connections 1024; }\n"
        f"http {{\n  access_log off;\n{temporary}"
        f"  upstream nodes {{\n{servers}    keepalive 16;\n  }}\n"
        f"  server {{\n    listen 127.0.0.1:{port};\n    location / {{\n      proxy_pass http://nodes;\n"
        '      proxy_http_version 1.1;\n      proxy_set_header Connection "";\n      proxy_set_header Host $http_host;\n'
        "      proxy_buffering off;\n"
        "      proxy_connect_timeout 2s;\n      proxy_read_timeout 60s;\n    }\n  }\n}\n"
    )
    return Program("nginx", port, [program, "-p", folder, "-e", "stderr", "-c", str(config)], signal.SIGHUP)


class RoundRobin:
    """A balancer of ours, where there is no haproxy: connections in turn, to nodes that listen."""

    name = "a round robin of the test's"

    def __init__(self, nodes: list[Program]) -> None:
        self._nodes, self._next, self._lock = nodes, 0, threading.Lock()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]

    def start(self) -> None:
        threading.Thread(target=self._accept, daemon=True).start()

    def reload(self) -> None:
        """There is nothing to read again."""

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.closing(client), contextlib.suppress(OSError):
            for _ in self._nodes:
                with self._lock:
                    node = self._nodes[self._next % len(self._nodes)]
                    self._next += 1
                with contextlib.suppress(OSError):
                    there = socket.create_connection(("127.0.0.1", node.port), timeout=2)
                    there.settimeout(None)
                    break
            else:
                return
            with contextlib.closing(there):
                threading.Thread(target=_carry, args=(client, there), daemon=True).start()
                _carry(there, client)

    def end(self) -> None:
        self._socket.close()


Balancer = Program | RoundRobin


def _carry(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
