"""Measures the Python client beside its yardsticks on this machine: ``python -m quiver.bench``."""
