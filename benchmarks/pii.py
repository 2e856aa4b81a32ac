"""Personal data by pattern: quality by type, false positives on benign text, and time by kind of text.

    python benchmarks/pii.py [FOLDER]

FOLDER holds the labelled sets; default: ``../shared/data`` beside the checkout, or ROUTEKIT_SHARED. Times are medians
of thread CPU time, one thread; quality counts a finding that overlaps a labelled span of the same type.
"""

from __future__ import annotations

import base64
import json
import os
import random
import statistics
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from record import save
from routekit import PatternPiiClassifier
from routekit.language import detect

SIZE = 65536
REPEATS = 15
PII = PatternPiiClassifier()
BENIGN = ("mmlu/all", "gsm8k/test", "awesome_prompts/all", "cyberseceval_code/all", "slabs/validation")
#: Types that have a written form of their own; a year or a weekday (DATE_TIME) and a bare postcode have none.
TYPES = [
    "AGE",
    "CREDIT_CARD",
    "DATE_TIME",
    "DOMAIN_NAME",
    "EMAIL_ADDRESS",
    "IBAN_CODE",
    "IP_ADDRESS",
    "PHONE_NUMBER",
    "US_DRIVER_LICENSE",
    "US_SSN",
    "ZIP_CODE",
]
#: Recogniser of the case files -> label, where the names differ.
CASE_LABELS = {
    "aba_routing": "US_BANK_ROUTING",
    "certificate_number": "MEDICAL_LICENSE",
    "date": "DATE_TIME",
    "de_kfz": "VEHICLE_REGISTRATION",
    "de_plz": "ZIP_CODE",
    "email": "EMAIL_ADDRESS",
    "in_vehicle_registration": "VEHICLE_REGISTRATION",
    "ip": "IP_ADDRESS",
    "mac": "MAC_ADDRESS",
    "ng_vehicle_registration": "VEHICLE_REGISTRATION",
    "ph_mobile_number": "PHONE_NUMBER",
    "phone": "PHONE_NUMBER",
    "tr_license_plate": "VEHICLE_REGISTRATION",
    "tr_phone_number": "PHONE_NUMBER",
    "uk_postcode": "ZIP_CODE",
    "uk_vehicle_registration": "VEHICLE_REGISTRATION",
    "url": "DOMAIN_NAME",
    "us_bank": "US_BANK_NUMBER",
}


def rows(folder: Path, name: str) -> Iterator[dict[str, object]]:
    for line in (folder / f"{name}.jsonl").read_text().rstrip("\n").split("\n"):
        yield json.loads(line)


def by_type(folder: Path) -> dict[str, dict[str, float]]:
    """Measure precision, recall and F1 on synthetic documents."""
    hits: Counter[str] = Counter()
    false: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for row in rows(folder, "presidio_synth/all"):
        gold = {tuple(span) for span in row["spans"]}  # type: ignore[attr-defined]
        seen = set()
        for span in PII.classify([str(row["text"])])[0].spans:
            same = {g for g in gold if g[2] == span.label and g[0] < span.end and span.start < g[1]}
            seen |= same
            (hits if same else false)[span.label] += 1
        missed.update(g[2] for g in gold - seen)
    return {label: _score(hits[label], false[label], missed[label]) for label in TYPES}


def _score(hits: int, false: int, missed: int) -> dict[str, float]:
    precision, recall = hits / max(hits + false, 1), hits / max(hits + missed, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    counts = {"n": hits + missed, "false": false, "missed": missed}
    return {**counts, "precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3)}


def cases(folder: Path) -> dict[str, dict[str, int]]:
    """Count, for each recogniser of the case files, positive cases found and negative ones left alone.

    Most positive cases are a bare number; many of those have no check digit and stay unfound on purpose.
    """
    counts: dict[str, Counter[str]] = {}
    for row in rows(folder, "presidio_recognizer_cases/all"):
        name = str(row["recognizer"]).removesuffix("_recognizer")
        label = CASE_LABELS.get(name, name.upper())
        if label not in PII.labels:
            continue
        n_found = sum(span.label == label for span in PII.classify([str(row["text"])])[0].spans)
        expected = int(str(row["n"]))
        kind = "positive" if expected else "negative"
        is_right = n_found >= expected if expected else n_found == 0
        counts.setdefault(name, Counter()).update({kind: 1, f"{kind}_right": is_right})
    return {name: dict(count) for name, count in counts.items()}


def benign(folder: Path) -> dict[str, dict[str, object]]:
    """Count, per 1,000 benign documents, those with a direct identifier, and all labels."""
    results: dict[str, dict[str, object]] = {}
    for name in BENIGN:
        texts = [str(row["text"]) for row in rows(folder, name)]
        labels = [{span.label for span in p.spans} for p in PII.classify(texts)]
        n_hits = sum(bool(found & PII.positive) for found in labels)
        results[name] = {
            "documents": len(texts),
            "hits_per_1000": round(1000 * n_hits / len(texts), 2),
            "documents_by_label": dict(Counter(label for found in labels for label in found)),
        }
    return results


def texts_by_kind(folder: Path) -> dict[str, str]:
    """Build 64 K characters of each kind of text."""
    rng = random.Random(1)
    english = " ".join(str(row["text"]) for row in rows(folder, "awesome_prompts/all"))
    mixed = [str(row["text"]) for name in BENIGN for row in list(rows(folder, name))[:300]]
    rng.shuffle(mixed)
    kinds = {
        "english": english,
        "english, ascii": english.encode("ascii", "ignore").decode(),
        "mixed": "\n".join(mixed),
        "code": "\n".join(str(row["text"]) for row in rows(folder, "cyberseceval_code/all")),
        "chinese": "今天天气很好，我们去公园散步吧。第三季度营收增长了12.5%，达到3,400万元。联系人在上海。" * 2000,
        "logs": "".join(_log_line(rng) for _ in range(700)),
        "base64": base64.b64encode(rng.randbytes(SIZE)).decode(),
        "json": json.dumps([_record(rng) for _ in range(1000)], separators=(",", ":")),
        "numbers": " ".join(str(rng.randrange(1000)) for _ in range(30000)),
        "cards": "4111 1111 1111 1111 " * 4000,
    }
    return {kind: text[:SIZE] for kind, text in kinds.items()}


def _log_line(rng: random.Random) -> str:
    trace = uuid.UUID(int=rng.getrandbits(128))
    return (
        f"2024-05-01T{rng.randrange(24):02d}:{rng.randrange(60):02d}:07.123Z INFO 10.0.{rng.randrange(256)}.7"
        f" GET /items/{rng.randrange(10**9)}?trace={trace} 200 {rng.randrange(10**5)}\n"
    )


def _record(rng: random.Random) -> dict[str, object]:
    return {
        "id": rng.randrange(10**12),
        "ts": 1_700_000_000_000 + rng.randrange(10**10),
        "price": rng.randrange(9999) / 100,
    }


def milliseconds(run: Callable[[], object]) -> tuple[float, float]:
    """Return median and minimum; on a machine with other work the minimum says what the code itself takes."""
    spent = []
    for _ in range(REPEATS):
        began = time.thread_time()
        run()
        spent.append(time.thread_time() - began)
    return round(1000 * statistics.median(spent), 3), round(1000 * min(spent), 3)


def speed(folder: Path) -> dict[str, dict[str, float]]:
    PII.classify(["warm"])
    table: dict[str, dict[str, float]] = {}
    for kind, text in texts_by_kind(folder).items():
        pii, pii_min = milliseconds(partial(PII.classify, [text]))
        language, language_min = milliseconds(partial(detect, text))
        table[kind] = {
            "characters": len(text),
            "pii_ms": pii,
            "pii_min_ms": pii_min,
            "language_ms": language,
            "language_min_ms": language_min,
        }
    return table


def show(title: str, table: Mapping[str, Mapping[str, object]]) -> None:
    print(f"\n{title}")
    for name, values in table.items():
        print(f"  {name:28s}", "  ".join(f"{key} {value}" for key, value in values.items()))


def main() -> None:
    default = Path(os.environ.get("ROUTEKIT_SHARED", Path(__file__).parents[2] / "shared")) / "data"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    results = {"by_type": by_type(folder), "cases": cases(folder), "benign": benign(folder), "speed": speed(folder)}
    for title, table in results.items():
        show(title, table)  # type: ignore[arg-type]
    save("pii", results)


if __name__ == "__main__":
    main()
