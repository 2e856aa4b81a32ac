"""Which requests are judged, pass or are refused, by method and path: whatever spelling a path comes in.

>>> guarded = GuardedPaths("/v1")
>>> guarded.verdict("POST", "/v1//chat/%63ompletions/"), guarded.verdict("GET", "/v1/models")
('openai-chat', 'pass')
>>> guarded.verdict("POST", "/v1/audio/speech"), guarded.verdict("POST", "/health")
('refuse', 'pass')
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, Union
from urllib.parse import unquote

from routekit.dialects import dialect_of_path
from routekit.errors import ConfigError
from routekit.request import Dialect

#: A path that is still percent-encoded after so many rounds means no good.
_MAX_ROUNDS: Final = 4
#: Methods whose bodies no API reads.
_BODILESS: Final = frozenset(("GET", "HEAD", "OPTIONS", "DELETE", "TRACE", "CONNECT"))

Verdict: TypeAlias = Union[Dialect, Literal["pass", "refuse"]]


def normalised(path: str) -> str | None:
    r"""Give the one spelling of a path: decoded, lower case, without empty, ``.`` and ``..`` segments and parameters.

    Returns
    -------
    path without a final slash; None for one that means no good: encoded over and over, or with control characters.

    Examples
    --------
    >>> normalised("/V1/./x/..//chat%252Fcompletions;a=1/"), normalised("/v1/chat\x00")
    ('/v1/chat/completions', None)
    """
    for _ in range(_MAX_ROUNDS):
        decoded = unquote(path)
        if decoded == path:
            break
        path = decoded
    else:
        return None
    if any(ord(character) < 32 or ord(character) == 127 for character in path):
        return None
    segments: list[str] = []
    for segment in path.replace("\\", "/").partition("?")[0].split("/"):
        name = segment.partition(";")[0].strip().lower()
        if name == "..":
            segments[-1:] = []
        elif name not in ("", "."):
            segments.append(name)
    return "/" + "/".join(segments)


class GuardedPaths:
    """What happens to a request, by its method and path.

    Requests to the endpoints of the known dialects are judged, wherever they are mounted. Under the prefix, whatever
    else may carry a prompt is refused, so that no endpoint is forgotten; outside of it, it passes.

    Parameters
    ----------
    prefix
        Where the API lies, ``"/v1"`` or ``"/"``.
    unjudged
        Paths under the prefix, with all that lies below them, that pass without being judged.

    Raises
    ------
    ConfigError
        If a path does not begin with a slash.
    """

    def __init__(self, prefix: str = "/v1", unjudged: Iterable[str] = ()) -> None:
        paths = [prefix, *unjudged]
        known = [normalised(path) for path in paths]
        if wrong := [path for path, plain in zip(paths, known, strict=True) if plain is None or path[:1] != "/"]:
            raise ConfigError(f"{wrong[0]!r} is no path; allowed: one that begins with a slash, e.g. '/v1'")
        self._prefix, *self._unjudged = [plain for plain in known if plain is not None]

    def verdict(self, method: str, path: str) -> Verdict:
        """Say what happens: the dialect to judge by, ``"pass"`` or ``"refuse"``."""
        plain = normalised(path)
        if method.upper() in _BODILESS:
            return "pass"
        if plain is None:
            return "refuse"
        if any(_within(plain, allowed) for allowed in self._unjudged):
            return "pass"
        dialect = dialect_of_path(plain)
        if dialect is not None:
            return dialect if method.upper() == "POST" else "refuse"
        return "refuse" if _within(plain, self._prefix) else "pass"


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
