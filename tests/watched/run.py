"""Servers and clients in several languages, and those that watch them: a collector of OpenTelemetry, Prometheus.

    cargo xtask test watched [--only REGEX]

Owns: which programs take part, and the table. What has to hold is in `checks.py`.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Behind this folder, which has `checks` of its own.
sys.path.append(str(Path(__file__).parents[1] / "fleet"))
from arrivals import Arrivals  # noqa: E402
from checks import COLLECTED, SCRAPED, Watched  # noqa: E402
from processes import Program, free_port, ran  # noqa: E402

PROGRAMS = Path(__file__).parent / "programs"
# How often programs export, in milliseconds, and pages are scraped.
OFTEN = 200


def configured(folder: Path, name: str, config: dict[str, Any]) -> str:
    """A file with a configuration: JSON is YAML."""
    file = folder / f"{name}.yaml"
    file.write_text(json.dumps(config))
    return str(file)


def collector(program: str, folder: Path, arrivals: Arrivals) -> Program:
    """Passes on what it receives."""
    port = free_port()
    to = {"endpoint": f"http://127.0.0.1:{arrivals.port}", "encoding": "json", "compression": "none"}
    way = {"receivers": ["otlp"], "exporters": ["otlp_http"]}
    config = {
        "receivers": {"otlp": {"protocols": {"http": {"endpoint": f"127.0.0.1:{port}"}}}},
        "exporters": {"otlp_http": to},
        "service": {"telemetry": {"metrics": {"level": "none"}}, "pipelines": {"traces": way, "metrics": way}},
    }
    return Program("collector", port, [program, "--config", configured(folder, "collector", config)])


def prometheus(program: str, folder: Path, servers: dict[str, Program]) -> Program:
    """Scrapes the page of each server."""
    port = free_port()
    often = f"{OFTEN}ms"
    jobs = [
        {"job_name": name, "static_configs": [{"targets": [f"127.0.0.1:{server.port}"]}]}
        for name, server in servers.items()
    ]
    config = {"global": {"scrape_interval": often, "scrape_timeout": often}, "scrape_configs": jobs}
    file = configured(folder, "prometheus", config)
    own = [f"--storage.tsdb.path={folder / 'samples'}", f"--web.listen-address=127.0.0.1:{port}"]
    return Program("prometheus", port, [program, f"--config.file={file}", *own])


def watched(options: argparse.Namespace, exports_to: int) -> Watched:
    """A server in each language; each asks the next one."""
    ports = {name: free_port() for name in ("node", "rust", "python")}
    url = {name: f"http://127.0.0.1:{port}/mcp" for name, port in ports.items()}
    node = [options.node, str(PROGRAMS / "node.mjs"), str(ports["node"]), url["rust"], options.packages]
    commands = {
        "node": node,
        "rust": [options.rust, str(ports["rust"]), url["python"]],
        "python": [sys.executable, str(PROGRAMS / "server.py"), str(ports["python"])],
    }

    def exporting(name: str, command: list[str]) -> list[str]:
        said = {
            "OTEL_SERVICE_NAME": name,
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{exports_to}",
            "OTEL_BSP_SCHEDULE_DELAY": OFTEN,
            "OTEL_METRIC_EXPORT_INTERVAL": OFTEN,
        }
        return ["env", *(f"{key}={value}" for key, value in said.items()), *command]

    servers = {name: Program(name, ports[name], exporting(name, command)) for name, command in commands.items()}
    return Watched(servers, exporting("client", [sys.executable, str(PROGRAMS / "client.py")]))


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("rust", "node", "packages"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("collector", "prometheus"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    arrivals = Arrivals()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        collects = collector(options.collector, folder, arrivals) if options.collector else None
        # Without a collector nobody takes what they export.
        those = watched(options, collects.port if collects else arrivals.port)
        scrapes = prometheus(options.prometheus, folder, those.servers) if options.prometheus else None
        checks: list[tuple[Callable[..., str], Any]] = []
        checks += [(check, arrivals) for check in COLLECTED if collects is not None]
        checks += [(check, scrapes) for check in SCRAPED if scrapes is not None]
        programs = [program for program in (collects, *those.servers.values(), scrapes) if program is not None]
        results: list[bool] = []
        try:
            for program in programs:
                program.start(wait=False)
            for program in programs:
                program.wait()
            for check, watcher in checks:
                name = check.__name__.replace("_", " ")
                if re.search(options.only, name):
                    results.append(ran(name, functools.partial(check, those, watcher)))
        finally:
            for program in reversed(programs):
                program.end()
            arrivals.end()
    print(f"{results.count(False)} of {len(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
