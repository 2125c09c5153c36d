"""Decoders for what data sets are usually made of. Any callable that takes bytes will do as well."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import torch

Decode = Callable[[Any], Any]
"""Makes a sample from a bytes-like object (``bytes`` or a read-only ``memoryview``)."""


class ImageDecoder:
    """Decodes image files to RGB images of PIL, as torchvision's ``ImageFolder`` does."""

    def __call__(self, data: Any) -> Any:
        """Decode the image in a file's bytes."""
        try:
            from PIL import Image
        except ImportError as e:
            raise ImportError("decode='image' needs Pillow; pip install pillow") from e
        return Image.open(io.BytesIO(data)).convert("RGB")


class TensorDecoder:
    """Decodes records of raw numbers to tensors.

    >>> decode = TensorDecoder((2, 2), torch.uint8)
    >>> decode(bytes([1, 2, 3, 4])).tolist()
    [[1, 2], [3, 4]]
    """

    def __init__(self, shape: Sequence[int], dtype: torch.dtype = torch.uint8):
        self.shape = tuple(shape)
        self.dtype = dtype

    def __call__(self, data: Any) -> torch.Tensor:
        """Return the tensor of a record's bytes; a copy, so that it can be written to."""
        return torch.frombuffer(bytearray(data), dtype=self.dtype).reshape(self.shape)


class BytesDecoder:
    """Hands out the bytes as they are."""

    def __call__(self, data: Any) -> bytes:
        """Return a copy of the bytes."""
        return bytes(data)


def decoder(decode: str | Decode | None) -> Decode:
    """Return the decoder a user means: nothing for bytes, ``"image"`` for pictures, or a callable."""
    if decode is None or decode == "bytes":
        return BytesDecoder()
    if decode == "image":
        return ImageDecoder()
    if callable(decode):
        return decode
    raise ValueError(f"decode={decode!r}; use 'bytes', 'image' or a callable that takes bytes")
