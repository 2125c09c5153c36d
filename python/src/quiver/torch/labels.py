"""The classes of a data set, as ``ImageFolder`` knows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quiver.digest import Digest


class Labels(NamedTuple):
    """The class of every item.

    :param classes: their names; the n-th belongs to label n
    """

    targets: npt.NDArray[np.int32]
    classes: list[str]

    @staticmethod
    def of(digest: Digest) -> Labels | None:
        """Take the digest's label column; else the folder each item lies in; None if there is neither.

        :raises ValueError: if only some items have a class
        """
        if digest.labels is None:
            labels = _folders(digest)
        else:
            labels = Labels(digest.labels, digest.class_names or _numbers(digest.labels))
        stray = [] if labels is None else np.flatnonzero(labels.targets < 0).tolist()
        if stray:
            raise ValueError(
                f"{len(stray)} of {digest.items} items have no class, such as {digest.describe(stray[0])!r}, "
                "which lies in no folder; make the digest again without them (--exclude), "
                "give labels=[…] with a number for each item, or use labels=False"
            )
        return labels

    @staticmethod
    def given(labels: Iterable[int], digest: Digest) -> Labels:
        """Take one number for each item, in the order of the digest."""
        targets = np.asarray(labels if hasattr(labels, "__array__") else list(labels))
        if targets.shape != (digest.items,) or not np.issubdtype(targets.dtype, np.integer):
            raise ValueError(
                f"labels of shape {targets.shape} and type {targets.dtype}; give one whole number for each "
                f"of the {digest.items} items, or True or False"
            )
        return Labels(targets.astype(np.int32), _numbers(targets))

    @property
    def class_to_idx(self) -> dict[str, int]:
        """The label of each class."""
        return {name: label for label, name in enumerate(self.classes)}


def _numbers(labels: npt.NDArray[np.integer[Any]]) -> list[str]:
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
