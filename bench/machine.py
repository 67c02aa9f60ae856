"""The machine and the versions that a benchmark ran on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from pathlib import Path

PACKAGES = ("onebit", "numba", "numpy", "vowpalwabbit", "river")


def machine() -> dict[str, str]:
    """Return the processor, the system, and the versions that matter."""
    found = {
        "cpu": _cpu(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def load() -> float:
    """Return the load average of the last minute; 0 if unknown."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _cpu() -> str:
    file = Path("/proc/cpuinfo")
    if file.exists():
        for line in file.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
