"""E-mail addresses, domain names, IP and MAC addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv6Address

from routekit.pii.recogniser import Found, Recogniser, Strength
from routekit.pii.tlds import BARE, is_tld

#: Letters of scripts that write words with spaces; a Chinese character beside an address is not part of it.
_LETTERS = "0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff\u0400-\u052f"
_LABEL = rf"[{_LETTERS}](?:[{_LETTERS}\-]{{0,61}}[{_LETTERS}])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL}){{1,8}}")
_AT = re.compile(rf"@(?=[{_LETTERS}])")
_SPELLED_AT = re.compile(r"[\[({] ?(?:at|AT) ?[\])}] ?(?=[0-9A-Za-z])")
_DOT = r"(?: ?[\[({] ?(?:dot|DOT) ?[\])}] ?|\.)"
_SPELLED_HOST = re.compile(
    rf"[0-9A-Za-z\-]{{1,63}}(?:{_DOT}[0-9A-Za-z\-]{{1,63}}){{0,4}}{_DOT}([A-Za-z]{{2,24}})(?![\w])"
)
_LOCAL = re.compile(rf"[{_LETTERS}.!#$%&'*+/=?^_`{{|}}~\-]")
_SCHEME = re.compile(r"://(?:[^\s/@]{1,64}@)?(?=[^\s/])")
_SCHEMES = ("https", "http", "ftps", "ftp", "wss", "ws", "sftp", "ssh")
_USERINFO = re.compile(r"://[^\s/?#]{0,64}\Z")
_PATH = re.compile(r"(?::\d{1,5})?(?:[/?#][^\s\"'<>\\^`{|}\])]{0,240})?")
_WWW = re.compile(r"www\.(?=[0-9A-Za-z])")
_BARE = re.compile(rf"\.(?:{'|'.join(sorted(BARE))})(?![\w\-(=]|\.\w)")
_HOST_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-."
_LOCAL_CHARACTERS = _HOST_CHARACTERS + "!#$%&'*+/=?^_`{|}~"
#: Names that only look like domains.
_PRODUCTS = frozenset(["asp.net", "vb.net", "ado.net", "ml.net", "socket.io", "draw.io", "fast.ai"])

_EMAIL = Recogniser("EMAIL_ADDRESS", (), Strength.CERTAIN, context=("email",))
_URL = Recogniser("DOMAIN_NAME", (), Strength.CERTAIN)
_DOMAIN = Recogniser("DOMAIN_NAME", (), Strength.LIKELY)
_IPV6 = Recogniser("IP_ADDRESS", (), Strength.CERTAIN, context=("ip",))
_SHORT_IPV6 = Recogniser("IP_ADDRESS", (), Strength.WEAK, context=("ip",))


def emails(text: str) -> Iterator[Found]:
    """Find e-mail addresses, RFC 5322 dot-atoms at a domain with a known ending."""
    for at in _AT.finditer(text):
        end = _host_end(text, at.end())
        local = _local_part(text, at.start()) if end else ""
        start = at.start() - len(local)
        is_remote = local == "git" and text[end : end + 1] == ":"
        if local and not (is_remote or _is_userinfo(text, start)):
            yield start, end, _EMAIL


def spelled_emails(text: str) -> Iterator[Found]:
    """Find e-mail addresses whose @ is spelled out in brackets: ``ann (at) example (dot) org``."""
    for at in _SPELLED_AT.finditer(text):
        end = at.start() - text.startswith(" ", max(0, at.start() - 1))
        before = text[max(0, end - 64) : end]
        local = before[len(before.rstrip(_LOCAL_CHARACTERS)) :]
        host = _SPELLED_HOST.match(text, at.end())
        if local and host and is_tld(host[1]):
            yield end - len(local), host.end(), _EMAIL


def _is_userinfo(text: str, start: int) -> bool:
    """Say whether a name at a host belongs to a web address: ``scheme://user:password@host``."""
    return _USERINFO.search(text[max(0, start - 64) : start]) is not None


def _local_part(text: str, at: int) -> str:
    before = text[max(0, at - 64) : at]
    if (at and not before[-1].isascii()) or not before.isascii():
        start = len(before)
        while start and _LOCAL.match(before[start - 1]):
            start -= 1
        local = before[start:]
    else:
        local = before[len(before.rstrip(_LOCAL_CHARACTERS)) :]
    for opening in "='`{|/":  # what stands before an address more often than in it
        local = local.rpartition(opening)[2]
    return "" if local.endswith(".") or ".." in local else local.lstrip(".-*#!?&%")


def _host_end(text: str, start: int) -> int:
    """Return the end of the host name that starts here, 0 if its ending is not a domain's."""
    match = _HOST.match(text, start)
    if not match:
        return 0
    host = match[0]
    while "." in host:
        ending = host.rpartition(".")[2]
        if is_tld(ending) and not ending.isdigit():
            return start + len(host)
        host = host.rpartition(".")[0]
        if text[start + len(host) : start + len(host) + 2].isdigit():
            return 0
    return 0


def urls(text: str) -> Iterator[Found]:
    """Find web addresses with a scheme: from the scheme to the end of the path."""
    for match in _SCHEME.finditer(text):
        before = text[max(0, match.start() - 5) : match.start()].lower()
        scheme = next((s for s in _SCHEMES if before.endswith(s)), "")
        end = _host_end(text, match.end())
        if scheme and end:
            path = _PATH.match(text, end)
            stop = path.end() if path else end
            yield match.start() - len(scheme), _trim(text, end, stop), _URL


def _trim(text: str, low: int, end: int) -> int:
    return low + len(text[low:end].rstrip(".,;:!?*_"))


def domains(text: str) -> Iterator[Found]:
    """Find domain names without a scheme."""
    for match in _WWW.finditer(text):
        end = _host_end(text, match.start())
        if end and text[match.start() : end].count(".") > 1 and not text[match.start() - 1 : match.start()].isalnum():
            yield match.start(), end, _URL
    for match in _BARE.finditer(text):
        low = max(0, match.start() - 100)
        before = text[low : match.start()]
        start = low + len(before.rstrip(_HOST_CHARACTERS))
        host = text[start : match.end()]
        left = text[start - 1 : start]
        if (
            _HOST.fullmatch(host)
            and not (left and (left.isalnum() or left in "@_/\\$"))
            and host.lower() not in _PRODUCTS
        ):
            yield start, match.end(), _DOMAIN


def compressed_ipv6(text: str) -> Iterator[Found]:
    """Find IPv6 addresses with a double colon."""
    position = text.find("::")
    while position >= 0:
        low = max(0, position - 40)
        before = text[low:position]
        start = low + len(before.rstrip("0123456789abcdefABCDEF:"))
        after = text[position : position + 60]
        reach = end = position + len(after) - len(after.lstrip("0123456789abcdefABCDEF:."))
        end -= len(text[position:end]) - len(text[position:end].rstrip(".:"))
        found = _ipv6(text, start, end)
        if found:
            yield start, end, found
        position = text.find("::", reach)


def _ipv6(text: str, start: int, end: int) -> Recogniser | None:
    """Say how sure an address with a double colon is: ``a::b`` and ``[::2]`` are code."""
    left, right = text[start - 1 : start] if start else "", text[end : end + 1]
    if end - start < 3 or left.isalnum() or left in ("_", ".") or right.isalnum() or right == "_":
        return None
    address = text[start:end]
    try:
        IPv6Address(address)
    except AddressValueError:
        return None
    first = address.partition(":")[0].lower()
    routed = len(first) == 4 and (first[0] in "23" or first[:2] in ("fe", "fd", "fc", "ff"))
    plain = any(c.isdigit() for c in address) and (routed or address.count(":") >= 4 or "." in address or first == "64")
    return _IPV6 if plain else _SHORT_IPV6


def ipv4(text: str) -> bool:
    """Check an IPv4 address that may be somebody's: no outline number, no loopback, broadcast or wildcard.

    >>> ipv4("10.0.0.1"), ipv4("1.2.3.4"), ipv4("256.1.1.1")
    (True, False, False)
    """
    return any_ipv4(text) and len(text) > 7 and text.partition(".")[0] not in ("127", "0", "255")


def any_ipv4(text: str) -> bool:
    """Check any IPv4 address: parts up to 255, without leading zeros."""
    return all(int(part) < 256 and (part[0] != "0" or part == "0") for part in text.split("."))


def full_ipv6(text: str) -> bool:
    """Check eight hexadecimal groups."""
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return len(text) > 17


def mac(text: str) -> bool:
    """Check twelve hexadecimal digits that are not all the same.

    >>> mac("001A2B3C4D5E"), mac("FFFFFFFFFFFF")
    (True, False)
    """
    return all(c in "0123456789ABCDEF" for c in text) and len(set(text)) > 1


INTERNET = (
    Recogniser("IP_ADDRESS", ("d{1,3}.d{1,3}.d{1,3}.d{1,3}",), Strength.LIKELY, ipv4, ("ip",), with_glue=True),
    Recogniser("IP_ADDRESS", ("d{1,3}.d{1,3}.d{1,3}.d{1,3}",), Strength.WEAK, any_ipv4, ("ip",), with_glue=True),
    Recogniser("IP_ADDRESS", (":".join(["w{1,4}"] * 8),), Strength.CERTAIN, full_ipv6, ("ip",), with_glue=True),
    Recogniser("MAC_ADDRESS", (":".join(["w{2}"] * 6), "-".join(["w{2}"] * 6)), Strength.CERTAIN, mac, ("mac",)),
    Recogniser("MAC_ADDRESS", ("w{4}.w{4}.w{4}",), Strength.POSSIBLE, mac, ("mac",)),
)
