"""A YAML document from elsewhere, as plain data: bounded, without tags, without keys that stand twice.

The parser's events are read one by one, so that nothing recurses: what a hostile file can cost is known before it is
opened. Aliases are allowed, but what they expand to counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from routekit.errors import PolicyError, quoted

if TYPE_CHECKING:
    import yaml

Source: TypeAlias = Union[str, Path, Mapping[str, object]]

#: Ten times the longest configuration that its authors publish.
MAX_BYTES = 1_000_000
#: Values after aliases are expanded, and how deep they nest.
MAX_VALUES, MAX_DEPTH = 100_000, 60
#: Longest key: paths in messages are made of keys, and an alias may repeat a long one.
_MAX_KEY = 200
#: Longest number: base 60 is a form of YAML 1.1, and long ones take quadratic time to read.
_MAX_NUMBER = 40
_TAGS = "tag:yaml.org,2002:"


def read_document(source: Source) -> dict[str, Any]:
    """Read a configuration into dicts, lists, texts, numbers, flags and None.

    Parameters
    ----------
    source
        YAML text, the `Path` of a file, or data that was read already.

    Raises
    ------
    PolicyError
        If it cannot be read, is no mapping, exceeds a limit, has a tag, an alias of what contains it, or a key twice.

    Examples
    --------
    >>> read_document("a: [1, yes, 'no']")
    {'a': [1, True, 'no']}
    """
    if isinstance(source, Mapping):
        return _as_mapping(_Copy().of(source, "document", 0))
    text = _file_text(source) if isinstance(source, Path) else source
    if not isinstance(text, str):
        raise PolicyError(f"the source is a {type(text).__name__}; allowed: YAML text, a Path, or a mapping")
    try:
        _check_size(len(text.encode("utf-8")))
    except UnicodeEncodeError:
        raise PolicyError("the text holds a lone surrogate; allowed: valid Unicode") from None
    return _as_mapping(_Copy().of(_parsed(text), "document", 0))


def _file_text(path: Path) -> str:
    try:
        _check_size(path.stat().st_size)
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise PolicyError(f"{quoted(str(path), 200)} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PolicyError(f"{quoted(str(path), 200)} is no UTF-8") from None


def _check_size(n_bytes: int) -> None:
    if n_bytes > MAX_BYTES:
        raise PolicyError(f"the document has {n_bytes} bytes; allowed: {MAX_BYTES}; give its routing part alone")


def _as_mapping(data: object) -> dict[str, Any]:
    if isinstance(data, dict):
        return data
    hint = "; a file goes in as pathlib.Path(...)" if isinstance(data, str) else ""
    raise PolicyError(f"the document is a {type(data).__name__}; allowed: a mapping{hint}")


@dataclass(slots=True)
class _Copy:
    """Copy data, shared parts as often as they are used, and stop when that is too much or a part holds itself."""

    n_values: int = 0

    def of(self, value: object, where: str, depth: int) -> object:
        self.n_values += 1
        if self.n_values > MAX_VALUES:
            raise PolicyError(f"the document has over {MAX_VALUES} values, aliases expanded; give its routing alone")
        if depth > MAX_DEPTH:
            raise PolicyError(f"the document nests over {MAX_DEPTH} deep, or holds itself; write it flatter")
        if isinstance(value, Mapping):
            copied = {_key(k, where): self.of(v, f"{where}.{k}", depth + 1) for k, v in value.items()}
            if len(copied) < len(value):
                raise PolicyError(f"{quoted(where, 200)} has one key as a text and as a number; keep one")
            return copied
        if isinstance(value, (list, tuple)):
            return [self.of(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
        if value is None or isinstance(value, (str, bool, int, float)):
            return value
        raise PolicyError(f"{quoted(where, 200)} is a {type(value).__name__}; allowed: what YAML has without tags")


def _key(key: object, where: str) -> str:
    if isinstance(key, str) and len(key) > _MAX_KEY:
        raise PolicyError(f"{quoted(where, 200)} has a key of {len(key)} characters; allowed: {_MAX_KEY}")
    if isinstance(key, (str, int, float)) and not isinstance(key, bool):
        return str(key)
    raise PolicyError(f"{quoted(where, 200)} has a key that is a {type(key).__name__}; put quotes around it")


def _parsed(text: str) -> object:
    if find_spec("yaml") is None:
        raise PolicyError("reading YAML needs PyYAML: pip install 'routekit[vllm-sr]'; or give a mapping")
    import yaml

    try:
        return _Builder().document(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "it holds characters that YAML does not allow"
        raise PolicyError(f"the document is not valid YAML{where}: {problem}") from None


@dataclass(slots=True)
class _Open:
    """A list or a mapping that is being read; of a mapping also the key that waits for its value."""

    into: list[object] | dict[object, object]
    anchor: str | None
    key: object = None
    has_key: bool = False


@dataclass(slots=True)
class _Builder:
    """Builds data from a parser's events."""

    opened: list[_Open] = field(default_factory=list)
    anchors: dict[str, object] = field(default_factory=dict)
    result: object = None
    n_documents: int = 0

    def document(self, events: Iterator[yaml.Event]) -> object:
        import yaml

        for event in events:
            line = _line(event)
            if isinstance(event, yaml.DocumentStartEvent):
                self.n_documents += 1
                if self.n_documents > 1:
                    raise PolicyError(f"line {line} starts a second document; give one")
            elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                _check_tag(event.tag, line)
                if len(self.opened) >= MAX_DEPTH:
                    raise PolicyError(f"line {line} nests over {MAX_DEPTH} deep; write it flatter")
                self.opened.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else [], event.anchor))
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                ended = self.opened.pop()
                self._put(ended.into, ended.anchor, line)
            elif isinstance(event, yaml.ScalarEvent):
                self._put(_scalar(event, line), event.anchor, line)
            elif isinstance(event, yaml.AliasEvent):
                if event.anchor not in self.anchors:
                    raise PolicyError(f"line {line}: the alias names nothing that is complete there; write it out")
                self._put(self.anchors[event.anchor], None, line)
        return self.result

    def _put(self, value: object, anchor: str | None, line: int) -> None:
        if anchor is not None:
            self.anchors[anchor] = value
        if not self.opened:
            self.result = value
            return
        into = self.opened[-1].into
        if isinstance(into, list):
            into.append(value)
        else:
            self._put_in_mapping(self.opened[-1], into, value, line)

    @staticmethod
    def _put_in_mapping(mapping: _Open, into: dict[object, object], value: object, line: int) -> None:
        if mapping.has_key:
            into[mapping.key] = value
        elif not isinstance(value, (str, int, float, bool)):
            raise PolicyError(f"line {line}: a key is no text; allowed: texts")
        elif value == "<<":
            raise PolicyError(f"line {line} merges a mapping into another with <<; write it out")
        elif value in into:
            raise PolicyError(f"line {line}: the key {quoted(str(value))} stands twice in one mapping; keep one")
        else:
            mapping.key = value
        mapping.has_key = not mapping.has_key


def _line(event: yaml.Event) -> int:
    return 0 if event.start_mark is None else event.start_mark.line + 1


def _check_tag(tag: str | None, line: int) -> None:
    if tag is not None and tag not in ("!", f"{_TAGS}map", f"{_TAGS}seq", f"{_TAGS}str"):
        raise PolicyError(f"line {line} has the tag {quoted(tag)}; allowed: none")


def _scalar(event: yaml.ScalarEvent, line: int) -> object:
    """Read a scalar as YAML 1.1 does, the version that the router reads: an unquoted ``no`` is a flag."""
    import yaml

    text = str(event.value)
    _check_tag(event.tag, line)
    if event.tag is not None or not event.implicit[0]:
        return text
    loader: Any = yaml.SafeLoader("")
    tag = loader.resolve(yaml.ScalarNode, text, (True, False))
    if tag.removeprefix(_TAGS) not in ("null", "bool", "int", "float"):
        return text
    if len(text) > _MAX_NUMBER:
        raise PolicyError(f"line {line} has a number of {len(text)} characters; allowed: {_MAX_NUMBER}")
    try:
        return loader.construct_object(yaml.ScalarNode(tag, text))
    except (ValueError, OverflowError):
        raise PolicyError(f"line {line} has a number that cannot be read; put quotes around it") from None
