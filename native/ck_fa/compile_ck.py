"""Compile the CK-tile kernels for AMD GPUs on a machine without one, and report what the compiler made of them.

Needs Clang 22 (Debian: clang-22) and pip. HIP headers and the device library come from the `triton` wheel, CK-tile
headers from the `amd-aiter` wheel, both downloaded once into the work folder; where HIP lacks a header, a stand-in of a
few lines is written (half-precision types that the compiler has anyway). A target takes 90 seconds of CPU time.
Exit status 1 when a kernel spills vector registers, uses scratch memory or holds no matrix instruction.

    python native/ck_fa/compile_ck.py [--targets gfx90a gfx942 gfx950] [--work build/ck] [--fake-hip]

`--fake-hip` also compiles the host half with the same headers and runs it against a HIP runtime that only records: the
grid, the kernel arguments as CK-tile packs them, and a launch error that becomes an exception.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path

PART = Path(__file__).parent
HIP = "triton/backends/amd/"
CK = "aiter_meta/3rdparty/composable_kernel/include/"
#: Wheel -> what is unpacked from it.
WHEELS = {"triton": (f"{HIP}include/", f"{HIP}lib/"), "amd-aiter": (CK,)}
#: The device's own library, as bitcode: without it work-item numbers are calls, and calls need scratch memory.
DEVICE_LIBRARY = ("ockl.bc", "ocml.bc")
#: Headers that the wheel's HIP leaves out, as far as CK-tile needs them.
STAND_INS = {
    "hip/hip_fp16.h": "#include <assert.h>\n#include <hip/hip_runtime.h>\ntypedef _Float16 __half;\n",
    "hip/hip_bfloat16.h": "struct hip_bfloat16 { unsigned short data; };\n",
}
#: Markers of the API that ck_dispatch.cpp is written against: file, text.
CK_API = {
    "ck_tile/ops/fmha/pipeline/block_fmha_pipeline_problem.hpp": "kUseTrLoad_",
    "ck_tile/ops/fmha/pipeline/tile_fmha_traits.hpp": "kSkipMinSeqlenQ_",
}


@dataclass(frozen=True)
class KernelReport:
    """One kernel of one target; registers and spills per lane, memory in bytes."""

    target: str
    kernel: str
    vgprs: int
    agprs: int
    sgprs: int
    vgpr_spills: int
    sgpr_spills: int
    scratch_bytes: int
    lds_bytes: int
    n_mfma: int

    @property
    def is_clean(self) -> bool:
        """True when nothing spills to memory and the matrix units are used; scalars spill to lanes of a vector."""
        return not (self.vgpr_spills or self.scratch_bytes) and self.n_mfma > 0


def fetch(work: Path) -> None:
    """Download the wheels, unpack what is needed of them, and write the stand-ins."""
    for package, folders in WHEELS.items():
        if not (work / folders[0]).is_dir():
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(work / "wheels")]
            subprocess.run([*pip, "--pre", package], check=True)
            wheel = max((work / "wheels").glob(f"{package.replace('-', '_')}-*.whl"))
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(work, [n for n in archive.namelist() if n.startswith(folders)])
    for name, text in STAND_INS.items():
        stand_in = work / "stand_ins" / name
        stand_in.parent.mkdir(parents=True, exist_ok=True)
        stand_in.write_text("#pragma once\n" + text)


def check_api(ck: Path) -> None:
    """Stop with a clear message when CK's API is not the one that is known."""
    for name, marker in CK_API.items():
        header = ck / name
        if not header.is_file() or marker not in header.read_text():
            sys.exit(f"CK-tile at {ck} has an unknown FMHA API: no {marker} in {name}; see src/rocm/ck_dispatch.cpp")


def compiler(work: Path, clang: str) -> list[str]:
    hip = ["-x", "hip", "-nogpulib", "-nogpuinc", "-include", "__clang_hip_runtime_wrapper.h", "-D__HIP_PLATFORM_AMD__"]
    includes = [f"-isystem{work / folder}" for folder in ("stand_ins", f"{HIP}include", CK)]
    return [clang, *hip, "-std=c++17", "-O3", "-w", "-fgpu-flush-denormals-to-zero", f"-I{PART / 'src'}", *includes]


def number(metadata: str, name: str) -> int:
    found = re.search(rf"\.{name}:\s+(\d+)", metadata)
    return int(found.group(1)) if found else 0


def short_name(mangled: str) -> str:
    """Say which of our kernels it is: head_dim, mask, bias."""
    demangled = subprocess.run(["c++filt", mangled], capture_output=True, text=True, check=False).stdout
    sizes = re.search(r"sequence<128, \d+, \d+, \d+, \d+, (\d+)>", demangled)
    masked = "GenericAttentionMask<true" in demangled
    bias = "BlockFmhaPipelineQRKSVS<" in demangled
    return f"d{sizes.group(1) if sizes else '?'}{' masked' if masked else ''}{' bias' if bias else ''}"


def reports(target: str, assembly: str) -> list[KernelReport]:
    """Read the kernels' metadata and count the matrix instructions of their code."""
    made = []
    metadata = assembly.split("amdhsa.kernels:")[1]
    for entry in re.split(r"\n  - (?=\.)", metadata)[1:]:
        symbol = re.search(r"\.name:\s+(\S+)", entry)
        if symbol is None:
            continue
        code = assembly.split(f"\n{symbol.group(1)}:")[1].split(".Lfunc_end")[0]
        made.append(
            KernelReport(
                target,
                short_name(symbol.group(1)),
                number(entry, "vgpr_count"),
                number(entry, "agpr_count"),
                number(entry, "sgpr_count"),
                number(entry, "vgpr_spill_count"),
                number(entry, "sgpr_spill_count"),
                number(entry, "private_segment_fixed_size"),
                number(entry, "group_segment_fixed_size"),
                len(re.findall(r"^\s+v_mfma_", code, re.MULTILINE)),
            )
        )
    return sorted(made, key=lambda report: report.kernel)


def compile_target(target: str, command: list[str], work: Path) -> list[KernelReport]:
    assembly = work / f"{target}.s"
    source = PART / "src" / "rocm" / "ck_dispatch.cpp"
    arguments = [f"--offload-arch={target}", "--cuda-device-only", "-S", str(source), "-o", str(assembly)]
    for library in DEVICE_LIBRARY:
        arguments += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(work / HIP / "lib" / library)]
    subprocess.run([*command, *arguments], check=True)
    return reports(target, assembly.read_text())


def run_fake_hip(command: list[str], work: Path) -> None:
    """Compile the host half, link it with a recording HIP runtime, and run it."""
    binary, host = work / "test_fake_hip", work / "ck_dispatch_host.o"
    source = PART / "src" / "rocm" / "ck_dispatch.cpp"
    host_only = ["--offload-arch=gfx942", "--cuda-host-only", "-fuse-cuid=none", "-c"]  # no id: one known fatbin symbol
    subprocess.run([*command, *host_only, str(source), "-o", str(host)], check=True)
    own = [
        PART / "tests" / "test_fake_hip.cpp",
        *(PART / "src" / f"{n}.cpp" for n in ("attention", "checks", "rocm/ck_limits")),
    ]
    folders = [f"-I{PART / 'src'}", f"-I{PART / 'include'}"]
    subprocess.run([command[0], "-std=c++17", *folders, *map(str, own), str(host), "-o", str(binary)], check=True)
    subprocess.run([str(binary)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", nargs="*", default=["gfx90a", "gfx942", "gfx950"])
    parser.add_argument("--work", type=Path, default=Path("build/ck"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--fake-hip", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    fetch(options.work)
    check_api(options.work / CK)
    command = compiler(options.work, options.clang)
    if options.fake_hip:
        run_fake_hip(command, options.work)
    made: list[KernelReport] = []
    for target in options.targets:
        made += compile_target(target, command, options.work)
        (options.work / "report.json").write_text(json.dumps([asdict(report) for report in made], indent=1) + "\n")
    for r in made:
        registers = f"{r.vgprs:4} VGPR (of these {r.agprs:3} AGPR) {r.sgprs:3} SGPR"
        spills = f"spills {r.vgpr_spills}/{r.sgpr_spills}, scratch {r.scratch_bytes} B"
        print(f"{r.target} {r.kernel:18} {registers}  {spills}  LDS {r.lds_bytes:6} B  {r.n_mfma:4} MFMA")
    sys.exit(0 if all(report.is_clean for report in made) else 1)


if __name__ == "__main__":
    main()
