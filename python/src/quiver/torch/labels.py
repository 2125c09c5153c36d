"""The classes of a data set, as ``ImageFolder`` knows them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.digest import Digest


class Labels(NamedTuple):
    """The class of every item, −1 for none.

    :param classes: their names; the n-th belongs to label n
    """

    targets: npt.NDArray[np.int32]
    classes: list[str]

    @staticmethod
    def of(digest: Digest) -> Labels | None:
        """Take the digest's label column; else the folder each item lies in; None if there is neither."""
        if digest.labels is not None:
            return Labels(digest.labels, digest.class_names or _numbers(digest.labels))
        return _folders(digest)

    @property
    def class_to_idx(self) -> dict[str, int]:
        """The label of each class."""
        return {name: label for label, name in enumerate(self.classes)}


def _numbers(labels: npt.NDArray[np.int32]) -> list[str]:
    return [str(label) for label in range(int(labels.max(initial=-1)) + 1)]


def _folders(digest: Digest) -> Labels | None:
    names = _names(digest)
    if names is None:
        return None
    folders = [name.rpartition("/")[0].rpartition("/")[2] for name in names]
    classes = sorted({folder for folder in folders if folder})
    if not classes:
        return None
    numbers = {name: label for label, name in enumerate(classes)}
    targets = np.fromiter((numbers.get(folder, -1) for folder in folders), np.int32, len(folders))
    return Labels(targets, classes)


def _names(digest: Digest) -> list[str] | None:
    """Return a path for each item: its own, or that of an object it has for itself."""
    if digest.items and digest.item_name(0):
        return [digest.item_name(item) for item in range(digest.items)]
    if digest.objects == digest.items:
        return [digest.location(item).name for item in range(digest.items)]
    return None
