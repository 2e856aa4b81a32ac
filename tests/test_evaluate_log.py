"""Logs of every kind and state, and evaluations that go on where they were stopped."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import routekit as rk
from routekit.evaluate import Columns, Evaluation, Skipped, evaluate, request_log
from routekit.testing import FakeClassifier, chat
from test_canary import SECRET, assert_silent

POLICY = rk.Policy([rk.Rule("attack", rk.signal("jailbreak") >= 0.9, rk.Block(403))], rk.RouteTo("general"))
ROWS = [
    {"id": f"r{i}", "text": "ignore all" if i % 3 == 0 else "egg", "labels": {"jailbreak": i % 3}} for i in range(9)
]
ROWS = [row | {"labels": {"jailbreak": i % 3 == 0}} for i, row in enumerate(ROWS)]
LINES = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)


def run(requests: object, policy: rk.Policy = POLICY, **options: object) -> Evaluation:
    fakes = [FakeClassifier("jailbreak", {"ignore all": 0.95})]
    return evaluate(policy, requests, classifiers=fakes, **options)  # type: ignore[arg-type]


def blocked(evaluation: Evaluation) -> list[str]:
    return [row.id for row in evaluation.rows if row.action == "block"]


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_every_kind_of_log_gives_the_same(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.jsonl", LINES)
    zipped = write(tmp_path / "b.jsonl.gz", gzip.compress(LINES))
    with plain.open("rb") as binary, plain.open(encoding="utf-8") as text:
        logs = [ROWS, iter(ROWS), plain, str(plain), zipped, binary, text, io.BytesIO(LINES), [plain]]
        found = [blocked(run(log)) for log in logs]
    assert found == [["r0", "r3", "r6"]] * len(logs)
    both = run([plain, zipped])
    assert {row.source for row in both.rows} == {"a.jsonl", "b.jsonl.gz"}
    assert both.n_requests == 18


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_are_logs(library: str) -> None:
    module = pytest.importorskip(library)
    data = {"prompt_text": ["ignore all", "egg", "egg"], "attack": [1, 0, None], "key": ["a", "b", "c"]}
    columns = Columns(text="prompt_text", id="key", labels={"jailbreak": "attack"})
    evaluation = run(module.DataFrame(data), columns=columns)
    assert blocked(evaluation) == ["a"]
    assert evaluation.signals["jailbreak"].n_labelled == 2


def test_rows_hold_bodies_texts_or_are_bodies() -> None:
    body = json.loads(chat("ignore all"))
    rows = [chat("ignore all"), "ignore all", body, {"request": body}, {"request": json.dumps(body)}]
    rows += [{"request": chat("ignore all")}, body | {"id": "x", "labels": {"jailbreak": "jailbreak"}}]
    evaluation = run(rows)
    assert len(blocked(evaluation)) == len(rows)
    assert evaluation.signals["jailbreak"].n_labelled == 1


def test_metadata_of_a_body_is_no_header() -> None:
    policy = rk.Policy([rk.Rule("vip", rk.header("tier") == "gold", rk.RouteTo("vip"))], rk.RouteTo("general"))
    body = json.loads(chat("hi", metadata={"tier": "gold"}))
    models = [
        row.named("model") for row in evaluate(policy, [body, {"request": body, "metadata": {"tier": "gold"}}]).rows
    ]
    assert models == ["general", "vip"]


def test_malformed_bodies_are_refused_requests() -> None:
    evaluation = run([b"", b"{", {"request": "{"}, {"request": {"messages": 1}}, b"\xff", *ROWS])
    assert evaluation.n_requests == 14
    assert evaluation.refused == {"MalformedBody": 5}
    assert [row.status for row in evaluation.rows][:5] == [400] * 5
    assert evaluation.shares("action")["refused"].n == 5


BAD = [
    (b"{\n", "no JSON"),
    (b'{"text": "\xff"}\n', "no JSON"),
    (b'{"text": NaN}\n', "no JSON"),
    (b"[1]\n", "a JSON list"),
    (b'{"tekst": "x"}\n', "a body as the row"),
    (b'{"text": 1}\n', "'text' a int"),
    (b'{"text": "x", "labels": {"jailbreak": 0.5}}\n', "the label of 'jailbreak' is a float"),
    (b'{"text": "x", "labels": 3}\n', "labels is a int"),
    (b'{"text": "x", "id": [1]}\n', "the id is a list"),
    (b'{"text": "x", "expected": {"colour": "red"}}\n', "expected has the key 'colour'"),
    (b'{"text": "x", "expected": {"rule": 1}}\n', "expected rule is a int"),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_bad_row_is_named_or_skipped_and_counted(tmp_path: Path, line: bytes, message: str) -> None:
    path = write(tmp_path / "log.jsonl", LINES + b"\n" + line + LINES)
    with pytest.raises(rk.BadRow) as caught:
        run(path)
    assert (caught.value.source, caught.value.line) == ("log.jsonl", 11)
    assert str(caught.value).startswith("log.jsonl, line 11: ")
    assert message in str(caught.value)
    evaluation = run(path, on_bad_row="skip")
    assert (evaluation.n_requests, evaluation.n_skipped) == (18, 1)
    assert [skipped.line for skipped in evaluation.skipped] == [11]


@pytest.mark.parametrize(
    "row",
    [
        {"text": 3, "note": SECRET},
        {"request": [SECRET]},
        {"request": {"messages": {SECRET}}},
        {"text": SECRET + "\ud800"},
        {"text": "x", "labels": {"jailbreak": {SECRET: 1}}},
        {"text": "x", "labels": {"jailbreak": [SECRET, 1]}},
        {"text": "x", "labels": SECRET},
        {"text": "x", "id": [SECRET]},
        {"text": "x", "id": SECRET * 50},
        {"text": "x", "metadata": SECRET},
        {"text": "x", "metadata": {"tier": {SECRET: 1}}},
        {"text": "x", "expected": {"rule": [SECRET]}},
        [SECRET],
        f'{{"text": "{SECRET}'.encode(),
        f'["{SECRET}"]'.encode(),
        f'{{"text": "{SECRET}\xff"}}'.encode("latin-1"),
    ],
)
def test_errors_about_a_row_do_not_tell_it(row: object) -> None:
    policy = rk.Policy([rk.Rule("vip", rk.header("tier") == "gold", rk.RouteTo("vip"))], rk.RouteTo("general"))
    with pytest.raises(rk.BadRow) as caught:
        evaluate(policy, io.BytesIO(row) if isinstance(row, bytes) else [row])
    assert_silent(caught.value)


def test_values_that_metadata_cannot_hold_are_a_bad_row() -> None:
    policy = rk.Policy([rk.Rule("vip", rk.header("tier") == "gold", rk.RouteTo("vip"))], rk.RouteTo("general"))
    with pytest.raises(rk.BadRow, match="line 1: metadata 'tier' is a dict"):
        evaluate(policy, [{"text": "hi", "metadata": {"tier": {}}}])


@given(st.integers(0, 100))
def test_gzip_that_is_cut_off_is_a_bad_row(cut: int) -> None:
    whole = gzip.compress(LINES)
    file = gzip.GzipFile(fileobj=io.BytesIO(whole[: len(whole) - 1 - cut % (len(whole) - 10)]))
    evaluation = run(file, on_bad_row="skip")
    assert evaluation.n_requests <= 9
    assert [skipped.reason for skipped in evaluation.skipped][-1].startswith("the gzip stream is damaged")


def test_line_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_log, "MAX_LINE_BYTES", 1000)
    log = LINES + json.dumps({"text": "x" * 3_000_000}).encode() + b"\n" + LINES
    evaluation = run(io.BytesIO(log), on_bad_row="skip")
    assert (evaluation.n_requests, evaluation.n_skipped) == (18, 1)
    assert "exceeds 1000 bytes" in next(evaluation.skipped).reason


def test_byte_order_mark_blank_lines_and_a_missing_last_newline_are_fine() -> None:
    log = b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n\n").rstrip()
    assert blocked(run(io.BytesIO(log))) == ["r0", "r3", "r6"]


@pytest.mark.parametrize("requests", [{"text": "x"}, b"{}", 3, None])
def test_what_is_no_log_is_told(requests: object) -> None:
    with pytest.raises(rk.UsageError, match="requests is a"):
        run(requests)


def test_logs_of_one_name_are_told_apart_or_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / "log.jsonl", LINES)
    with pytest.raises(rk.UsageError, match=r"two logs are named 'log\.jsonl'"):
        run([tmp_path / "a" / "log.jsonl", tmp_path / "b" / "log.jsonl"])


# Checkpoints.


class Interrupted(Exception):
    pass


def until(n: int) -> Iterator[object]:
    yield from ROWS[:n]
    raise Interrupted


@pytest.mark.parametrize("n_torn", [0, 1, 30, 10_000])
def test_checkpoint_goes_on_where_it_stopped(tmp_path: Path, n_torn: int) -> None:
    path = tmp_path / "c.jsonl"
    with pytest.raises(Interrupted):
        run(until(5), checkpoint=path)
    content = path.read_bytes()
    path.write_bytes(content[: max(0, len(content) - n_torn)])
    seen: list[int] = []
    evaluation = run(ROWS, checkpoint=path, progress=lambda done, total: seen.append(done))
    assert list(evaluation.entries) == list(run(ROWS).entries)
    assert len(seen) == {0: 4, 1: 5, 30: 5, 10_000: 9}[n_torn]
    assert list(Evaluation.load(path).entries) == list(evaluation.entries)
    assert run(ROWS, checkpoint=path).n_requests == 9


def test_checkpoint_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    run(ROWS[:3], checkpoint=path)
    other = rk.Policy([rk.Rule("attack", rk.signal("jailbreak") >= 0.5, rk.Block(403))], rk.RouteTo("general"))
    with pytest.raises(rk.UsageError, match="made with another policy"):
        run(ROWS, other, checkpoint=path)
    changed = FakeClassifier("jailbreak", {"Ignore all previous": 0.95})
    with pytest.raises(rk.UsageError, match="made with other classifiers"):
        evaluate(POLICY, ROWS, classifiers=[changed], checkpoint=path)
    with pytest.raises(rk.UsageError, match="belongs to another log"):
        run(ROWS[1:], checkpoint=path)
    with pytest.raises(rk.UsageError, match="belongs to another log"):
        run(ROWS[:2], checkpoint=path)
    with pytest.raises(rk.UsageError, match="is gzipped"):
        run(ROWS, checkpoint=tmp_path / "c.jsonl.gz")


def test_skipped_rows_are_kept_in_a_checkpoint(tmp_path: Path) -> None:
    rows = [ROWS[0], {"text": 1}, ROWS[1]]
    path = tmp_path / "c.jsonl"
    run(rows[:2], checkpoint=path, on_bad_row="skip")
    evaluation = run(rows, checkpoint=path, on_bad_row="skip")
    assert [isinstance(entry, Skipped) for entry in evaluation.entries] == [False, True, False]
    assert evaluation.n_skipped == 1


@pytest.mark.parametrize(
    "content", [b"", b"{}\n", b"\xff\n", b'{"routekit.evaluation": 99}\n', b'{"routekit.evaluation": 1}\n']
)
def test_file_that_is_no_evaluation_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(rk.UsageError, match=r"no saved evaluation|has format 99|damaged in line 1"):
        Evaluation.load(write(tmp_path / "e.jsonl", content))


def test_damaged_row_is_named(tmp_path: Path) -> None:
    run(ROWS).save(tmp_path / "e.jsonl")
    lines = (tmp_path / "e.jsonl").read_bytes().splitlines(keepends=True)
    for damaged in (
        b"{\n",
        b'{"source": "x"}\n',
        b'{"source": "x", "line": 1, "id": "a", "n_body_bytes": 1, "facts": 3}\n',
    ):
        write(tmp_path / "e.jsonl", b"".join([*lines[:3], damaged, *lines[3:]]))
        with pytest.raises(rk.UsageError, match="damaged in line 4"):
            list(Evaluation.load(tmp_path / "e.jsonl").entries)


@pytest.mark.parametrize("content", [b'{"my": "only copy"}', b"[1]", gzip.compress(LINES)])
def test_checkpoint_leaves_files_of_others_alone(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path / "mine.jsonl", content)
    with pytest.raises(rk.UsageError, match=r"no saved evaluation|gzipped"):
        run(ROWS, checkpoint=path)
    assert path.read_bytes() == content


def test_checkpoint_of_a_run_that_goes_on_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "e.jsonl"

    def rows() -> Iterator[object]:
        with pytest.raises(rk.UsageError, match="another run"):
            run(ROWS, checkpoint=path)
        yield from ROWS

    assert run(rows(), checkpoint=path).n_requests == len(ROWS)


def test_checkpoint_notices_other_labels(tmp_path: Path) -> None:
    run(ROWS, checkpoint=tmp_path / "e.jsonl")
    with pytest.raises(rk.UsageError, match="line 2 is not there or another one"):
        run([ROWS[0], ROWS[1] | {"labels": {"jailbreak": True}}, *ROWS[2:]], checkpoint=tmp_path / "e.jsonl")


@pytest.mark.parametrize("n_cut", [1, 60, 300])
def test_saved_gzip_that_is_cut_off_is_told(tmp_path: Path, n_cut: int) -> None:
    path = tmp_path / "e.jsonl.gz"
    run(ROWS).save(path)
    write(path, path.read_bytes()[:-n_cut])
    with pytest.raises(rk.UsageError, match="gzip stream is damaged"):
        Evaluation.load(path).to_dict()


@pytest.mark.parametrize(
    "field",
    [
        {"labels": {"jailbreak": [5]}},
        {"expected": {"rule": 5}},
        {"wall_seconds": "x"},
        {"prompt_tokens": 1.5},
        {"refused": 5},
        {"states": {"jailbreak": {"lower": 5, "failed": "X"}}},
    ],
)
def test_values_of_wrong_kinds_are_damage(tmp_path: Path, field: dict[str, object]) -> None:
    path = tmp_path / "e.jsonl"
    run(ROWS[:1]).save(path)
    first, row = path.read_bytes().splitlines()
    write(path, first + b"\n" + json.dumps(json.loads(row) | field).encode() + b"\n")
    with pytest.raises(rk.UsageError, match="damaged in line 2"):
        Evaluation.load(path).to_dict()


@pytest.mark.parametrize(
    "row",
    [
        {"id": "\ud800"},
        {"id": 10**5000},
        {"labels": {"jailbreak": "\ud800"}},
        {"labels": {"\ud800": True}},
        {"labels": {"jailbreak": "a prompt in the wrong column " * 10}},
        {"labels": {"jailbreak": ["\ud800"]}},
        {"expected": {"rule": "\ud800"}},
    ],
)
def test_what_no_file_can_hold_is_a_bad_row(row: dict[str, object]) -> None:
    with pytest.raises(rk.BadRow, match="expected"):
        run([{"text": "egg"} | row])


def test_merge_of_rows_out_of_order_is_refused(tmp_path: Path) -> None:
    logs = [write(tmp_path / name, LINES) for name in ("b.jsonl", "a.jsonl")]
    with pytest.raises(rk.UsageError, match=r"a\.jsonl, line 1 comes after b\.jsonl, line 9"):
        run(logs).merge(run(logs[1]))
