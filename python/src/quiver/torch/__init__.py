"""PyTorch in two lines: a data set and a loader that share a cache with all other jobs.

>>> from quiver.torch import QuiverDataLoader, QuiverDataset
>>> dataset = QuiverDataset("images.qdg", "s3://bucket/images", decode="image")  # doctest: +SKIP
>>> loader = QuiverDataLoader(dataset, batch_size=256, num_workers=8, cache="host:7400")  # doctest: +SKIP
>>> for images, labels in loader:  # doctest: +SKIP
...     train(images, labels)
"""

from quiver.errors import LoadError, QuiverWarning
from quiver.torch.dataset import QuiverDataset
from quiver.torch.decoders import ImageDecoder, TensorDecoder
from quiver.torch.importance import per_sample_cross_entropy
from quiver.torch.loader import QuiverDataLoader
from quiver.torch.state import merge_states

__all__ = [
    "ImageDecoder",
    "LoadError",
    "QuiverDataLoader",
    "QuiverDataset",
    "QuiverWarning",
    "TensorDecoder",
    "merge_states",
    "per_sample_cross_entropy",
]
