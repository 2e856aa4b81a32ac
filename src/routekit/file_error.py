"""What a command says of a file that it cannot open."""

from __future__ import annotations

from routekit.errors import quoted


def file_error(error: OSError) -> str:
    """Tell which file it was, what the system says, and what to do.

    Examples
    --------
    >>> file_error(FileNotFoundError(2, "No such file or directory", "nope.json"))
    "'nope.json' cannot be opened: No such file or directory; check the path, which starts in the current folder"
    """
    if error.filename is None:
        return f"input or output failed: {error.strerror or type(error).__name__}"
    name = str(error.filename)
    remedy = "check the path" + ("" if name.startswith("/") else ", which starts in the current folder")
    if isinstance(error, IsADirectoryError):
        remedy = "give a file, not a folder"
    if isinstance(error, PermissionError):
        remedy = "give a file that this user may open"
    return f"{quoted(name, 200)} cannot be opened: {error.strerror}; {remedy}"
