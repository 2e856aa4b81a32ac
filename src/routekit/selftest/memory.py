"""How much memory this process holds, on the host and on a GPU, from whatever says so here.

On AMD the kernel driver itself tells, without a tool: the memory of this process, or where a container hides that, of
all processes on the card. Elsewhere the vendor's own tool is asked.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_TOOL_SECONDS = 10.0
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class DeviceMemory:
    """Memory in use, summed over the GPUs of one vendor; `of_process` is False for that of all processes together."""

    n_bytes: int
    source: str
    of_process: bool


def host_peak_bytes() -> int | None:
    """Give the most resident memory that this process has held; None where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) << 10 if found else None


def device_memory(backend: str, sys: Path = Path("/sys")) -> DeviceMemory | None:
    """Read the GPU memory in use; None where nothing tells.

    Parameters
    ----------
    backend
        ``"rocm"`` and ``"migraphx"`` ask AMD's ways, ``"cuda"`` NVIDIA's; others have no device.
    sys
        The root of sysfs.
    """
    ways: dict[str, tuple[Callable[[], DeviceMemory | None], ...]] = {
        "rocm": (lambda: _amd_process(sys), lambda: _amd_cards(sys), _rocm_smi),
        "migraphx": (lambda: _amd_process(sys), lambda: _amd_cards(sys), _rocm_smi),
        "cuda": (_nvidia_smi,),
    }
    return next((found for way in ways.get(backend, ()) if (found := way()) is not None), None)


def _amd_process(sys: Path) -> DeviceMemory | None:
    """The compute driver's account of this process: one file for each GPU (Linux 5.10 and later)."""
    files = sorted((sys / "class/kfd/kfd/proc" / str(os.getpid())).glob("vram_*"))
    return _summed(files, "kfd", of_process=True)


def _amd_cards(sys: Path) -> DeviceMemory | None:
    """The graphics driver's account of each card."""
    return _summed(sorted((sys / "class/drm").glob("card*/device/mem_info_vram_used")), "amdgpu", of_process=False)


def _summed(files: list[Path], source: str, *, of_process: bool) -> DeviceMemory | None:
    try:
        sizes = [int(file.read_text()) for file in files]
    except (OSError, ValueError):
        return None
    return DeviceMemory(sum(sizes), source, of_process) if sizes else None


def _rocm_smi() -> DeviceMemory | None:
    printed = _printed("rocm-smi", "--showmeminfo", "vram", "--json")
    try:
        cards = json.loads(printed)
        used = [int(size) for card in cards.values() for key, size in card.items() if "Used" in key]
    except (ValueError, AttributeError, TypeError):
        return None
    return DeviceMemory(sum(used), "rocm-smi", of_process=False) if used else None


def _nvidia_smi() -> DeviceMemory | None:
    printed = _printed("nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits")
    try:
        used = [int(row[0]) for row in csv.reader(printed.splitlines()) if row]
    except ValueError:
        return None
    return DeviceMemory(sum(used) * _MIB, "nvidia-smi", of_process=False) if used else None


def _printed(tool: str, *arguments: str) -> str:
    """Run a tool and return what it prints; nothing where it is absent or fails."""
    path = shutil.which(tool)
    if path is None:
        return ""
    try:
        done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False, timeout=_TOOL_SECONDS)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout if done.returncode == 0 else ""


def devices(sys: Path = Path("/sys")) -> tuple[str, ...]:
    """Name the GPUs that AMD's compute driver knows, such as ``"gfx942"``, and those of NVIDIA."""
    return (*_gfx_names(sys), *_printed("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").splitlines())


def _gfx_names(sys: Path) -> Iterator[str]:
    """The driver writes 90402 for gfx942: major, minor and stepping in two decimal digits each; CPUs have 0."""
    for file in sorted((sys / "class/kfd/kfd/topology/nodes").glob("*/properties")):
        try:
            found = re.search(r"^gfx_target_version (\d+)$", file.read_text(), re.MULTILINE)
        except OSError:
            continue
        if found and (version := int(found[1])):
            yield f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}"
