"""The README of the package: a package index has no other files of the repository, so images in them are left out
and links to them become text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


def packaged(readme: str) -> str:
    """Without images that are files of the repository; links to such files become their text."""
    without_images = re.sub(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n\n", "", readme, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", without_images)


class Readme(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        text = packaged((Path(self.root) / "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
