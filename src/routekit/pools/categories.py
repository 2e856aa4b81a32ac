"""What kind of text a request carries, told from a bounded sample: it steers the bytes per token to plan with."""

from __future__ import annotations

from routekit.request import RequestView, Segment

#: Every category that `category_of` can name.
CATEGORIES = ("prose", "cjk", "script", "code", "json", "base64", "tools", "empty")

#: Bytes per token to plan with before anything is learned: low enough for nearly all text of the category under the
#: tokenizers in use (cl100k, o200k). Tools and JSON are repacked by the server's chat template, hence one byte.
COLD_RATIOS = {
    "_default": 4.0,
    "prose": 4.0,
    "cjk": 2.0,
    "script": 2.0,
    "code": 3.0,
    "json": 1.0,
    "base64": 1.0,
    "tools": 1.0,
}

_N_WINDOWS = 16
_WINDOW_CHARS = 64

_ALNUM = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=_-"
_OPERATORS = b"(){}[];=<>_#*&|/\\+`$@"
_HIGH = bytes(range(0x80, 0x100))
#: First bytes of three- and four-byte characters from U+3000 on: CJK, kana, hangul, emoji.
_WIDE_LEADS = bytes(range(0xE3, 0xEE)) + b"\xf0"


def category_of(view: RequestView) -> str:
    r"""Name the kind of text in a request.

    Reads at most 1,024 characters, spread evenly over all segments, so it costs the same for a megabyte. The answer
    steers an estimate and nothing else: whoever disguises base64 as prose has his own request refused by the server
    as too long (`PoolRouter.overflowed` then moves it), while the learned ratio of prose moves by a bounded step.

    Returns
    -------
    One of `CATEGORIES`: ``"tools"`` for any request that declares tools, ``"script"`` for alphabets other than
    Latin, ``"empty"`` without text.

    Examples
    --------
    >>> from routekit import RequestView, Segment
    >>> text = "def area(r):\n    return math.pi * r ** 2  # of a circle\n"
    >>> segment = Segment("user", "text", text, 0, 0, 0)
    >>> category_of(RequestView("openai-chat", "auto", False, (segment,), 0, (), None, len(text)))
    'code'
    """
    if view.tools:
        return "tools"
    windows = _windows(view.segments)
    if not windows:
        return "empty"
    # A quarter of dense windows decides: base64 takes three times the tokens of prose, so a part of it dominates.
    n_dense = sum([_is_dense(window) for window in windows if " " not in window])
    return "base64" if n_dense * 4 >= len(windows) and n_dense else _category("".join(windows))


def _windows(segments: tuple[Segment, ...]) -> list[str]:
    """Cut windows at even steps through the segments laid end to end; all of a short text."""
    n_chars = sum([len(segment.text) for segment in segments])
    step = max(_WINDOW_CHARS, n_chars // _N_WINDOWS)
    at = (step - _WINDOW_CHARS) // 2
    windows: list[str] = []
    for segment in segments:
        text = segment.text
        n = len(text)
        while at < n:
            windows.append(text[at : at + _WINDOW_CHARS])
            at += step
        at -= n
    return windows


def _is_dense(window: str) -> bool:
    """Say whether a window without spaces reads like base64, hex or an identifier run: hardly any punctuation."""
    if not window.isascii() or len(window) < _WINDOW_CHARS // 2:
        return False
    data = window.encode("ascii")
    return len(data.translate(None, _ALNUM)) <= len(data) // 16


def _category(sample: str) -> str:
    data = sample.encode("utf-8", "replace")
    n_bytes = len(data)
    if not sample.isascii():
        n_high = n_bytes - len(data.translate(None, _HIGH))
        if n_high * 5 > n_bytes * 2:
            n_wide = n_bytes - len(data.translate(None, _WIDE_LEADS))
            return "cjk" if n_wide * 6 > n_high else "script"
    n_marks = n_bytes - len(data.translate(None, b'{}[]":,'))
    if data.count(b'"') * 16 > n_bytes and n_marks * 8 > n_bytes and data.count(b":") * 64 > n_bytes:
        return "json"
    n_operators = n_bytes - len(data.translate(None, _OPERATORS))
    return "code" if n_operators * 20 > n_bytes else "prose"
