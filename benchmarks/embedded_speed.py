"""What the two tiers of the embedded models cost: CPU milliseconds by length and by stage on one core, and memory.

    python benchmarks/embedded_speed.py [FOLDER]

FOLDER holds the encoder; default: the one that ships. `linear` is the first tier alone, `encoder` the cascade where it
has to read, with all that leads there; `both` are jailbreak and domain of one text, which share a tokenization and a
run, with the patterns for PII; `names` is PII with the token head. A request that the linear tier settles costs
`linear`. Tokens are the encoder's own. Memory is the peak of a process of its own. Medians of CPU time.
"""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from record import save
from routekit import PatternPiiClassifier
from routekit.embedded import ENCODER, load
from routekit.embedded.domain import DomainCascade
from routekit.embedded.encoder import Encoder
from routekit.embedded.first_tier import FirstTier
from routekit.embedded.jailbreak import JailbreakCascade
from routekit.embedded.passages import what_matters
from routekit.embedded.pii import PiiCascade
from routekit.shared_work import sharing_work
from whole_requests import text

LENGTHS = (32, 128, 512, 2048, 16_384, 131_072)


class Tiers:
    """The classifiers, with an encoder that always has to read."""

    def __init__(self, folder: Path) -> None:
        self.linear = [load("jailbreak", "linear"), load("domain", "linear")]
        self.encoder = Encoder(folder, [FirstTier(linear) for linear in self.linear], n_threads=1)
        self.jailbreak = JailbreakCascade(self.linear[0], self.encoder)
        self.jailbreak.rule = replace(self.jailbreak.rule, below=-1e9, above=1e9, doubt=-math.inf)
        self.domain = DomainCascade(self.linear[1], self.encoder)
        self.domain.rule = replace(self.domain.rule, settle=2.0)
        self.patterns = PatternPiiClassifier()
        self.pii = PiiCascade(self.patterns, self.encoder)

    def text(self, n_tokens: int) -> str:
        """English of so many tokens."""
        whole = text("english", 8 * n_tokens)
        ends = self.encoder.tokenizer.encode(whole).offsets[:, 1]
        return whole[: int(ends[n_tokens - self.encoder.tokenizer.n_special_tokens - 1])]

    def both(self, of: str) -> None:
        """Judge as a router does: three signals of one text."""
        with sharing_work():
            for classifier in (self.patterns, self.jailbreak, self.domain):
                classifier.classify([of])


def cpu_ms(call: Callable[[], object]) -> float:
    """Median CPU milliseconds of the process, of as many runs as a second holds, at least five."""
    call()
    times: list[float] = []
    while len(times) < 5 or (sum(times) < 1.0 and len(times) < 50):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return round(1e3 * statistics.median(times), 3)


def by_length(tiers: Tiers, n_tokens: int) -> dict[str, float]:
    of = tiers.text(n_tokens)
    return {
        "jailbreak, linear": cpu_ms(lambda: tiers.linear[0].classify([of])),
        "domain, linear": cpu_ms(lambda: tiers.linear[1].classify([of])),
        "jailbreak, encoder": cpu_ms(lambda: tiers.jailbreak.classify([of])),
        "domain, encoder": cpu_ms(lambda: tiers.domain.classify([of])),
        "both": cpu_ms(lambda: tiers.both(of)),
        "pii, patterns": cpu_ms(lambda: tiers.patterns.classify([of])),
        "pii, names": cpu_ms(lambda: tiers.pii.classify([of])),
    }


def by_stage(tiers: Tiers, n_tokens: int) -> dict[str, float]:
    """Take the reading of a long text by the encoder apart."""
    of = tiers.text(n_tokens)
    logits = tiers.encoder.read(of)
    return {
        "screens": cpu_ms(lambda: [screen.screen(of) for screen in tiers.linear]),
        "screens and choice of passages": cpu_ms(lambda: what_matters(of, tiers.linear)),
        "encoder": cpu_ms(lambda: tiers.encoder.run(of, logits.reading)),
        "tokenizing all of it, for comparison": cpu_ms(lambda: tiers.encoder.tokenizer.encode(of)),
    }


def peak_mb(folder: Path, n_tokens: int) -> float:
    """Judge a text twice in a fresh process and read the peak of its resident memory."""
    command = [sys.executable, __file__, str(folder), "--memory", str(n_tokens)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return round(int(done.stdout) / 1024, 1)


def measure_memory(folder: Path, n_tokens: int) -> None:
    tiers = Tiers(folder)
    of = text("english", 4 * n_tokens)
    tiers.both(of)
    tiers.both(of)
    # Not getrusage: its peak is inherited from the process that started this one.
    print(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])


def main(folder: Path) -> None:
    tiers = Tiers(folder)
    rows = {n: by_length(tiers, n) for n in LENGTHS}
    print(f"{'ms':24}" + "".join(f"{n:>10}" for n in LENGTHS))
    for name in rows[LENGTHS[0]]:
        print(f"{name:24}" + "".join(f"{rows[n][name]:10.2f}" for n in LENGTHS))
    stages = by_stage(tiers, 16_384)
    print("\n16K tokens, ms:", ", ".join(f"{name} {ms:.2f}" for name, ms in stages.items()))
    memory = {str(n): peak_mb(folder, n) for n in (512, 16_384)}
    print("peak resident MB:", memory)
    n_bytes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    results = {"ms": {str(n): row for n, row in rows.items()}, "stages at 16384": stages, "peak_mb": memory}
    save("embedded_speed", {**results, "file_bytes": n_bytes}, ("numpy", "onnxruntime", "tokenizers"))


if __name__ == "__main__":
    given = sys.argv[1:]
    if "--memory" in given:
        measure_memory(Path(given[0]), int(given[-1]))
    else:
        main(Path(given[0]) if given else ENCODER)
