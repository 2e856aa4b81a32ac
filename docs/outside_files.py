"""Brings files that a page links to, but that lie outside of docs/, into the site: results, cards, examples."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

#: A relative link; what is no file of the repository is left to the checks of mkdocs.
_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]+)")
#: What tells tests how to run a block.
_COMMENT = re.compile(r"^ *<!--.*?-->\n", re.MULTILINE | re.DOTALL)
#: Where such files lie in the site.
FOLDER = "repository"


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Point links that leave docs/ at copies inside of the site, and add the copies."""
    root = Path(config["config_file_path"]).parent
    here = posixpath.dirname(page.file.src_uri)

    def inside(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", here, match[1]))
        if target.startswith(("docs/", "..")) or not (root / target).is_file():
            return match[0]
        uri = f"{FOLDER}/{target.replace('.md', '.md.txt')}"
        if files.get_file_from_path(uri) is None:
            files.append(File.generated(config, uri, abs_src_path=str(root / target)))
        return f"]({posixpath.relpath(uri, here or '.')}"

    return _LINK.sub(inside, _COMMENT.sub("", markdown))
