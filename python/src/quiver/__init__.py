"""Quiver for Python: client, samplers and data loaders of a distributed cache for training data.

>>> from quiver import CacheClient, Digest  # doctest: +SKIP
>>> digest = Digest.open("images.qdg")  # doctest: +SKIP
>>> with CacheClient(["http://127.0.0.1:7071"], job="train") as client:  # doctest: +SKIP
...     answer = client.get(digest.hashes[:32])
...     print(answer.hits, "of 32 are cached")
"""

from quiver.client import Answer, CacheClient, Lookup, Member, PutAnswer
from quiver.credentials import Credentials
from quiver.digest import Digest, DigestError, Location

__all__ = [
    "Answer",
    "CacheClient",
    "Credentials",
    "Digest",
    "DigestError",
    "Location",
    "Lookup",
    "Member",
    "PutAnswer",
    "__version__",
]

__version__ = "0.1.0"
