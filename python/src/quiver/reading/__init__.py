"""Reads what one draw asks for: from the cache, shared with other jobs through claims, or from the store.

Lives in the processes that fetch (workers, or the training process itself without workers), never samples.
"""
