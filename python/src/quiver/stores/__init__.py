"""Reads remote stores in single attempts: natively through obstore, anything else through fsspec.

Drivers know nothing of retries and pace, which are :class:`quiver.store.Store`'s. They say what went wrong in
the way of :mod:`quiver.stores.refusals`.
"""
