"""What the Python side can do on this machine, beside what it is measured by: ``python -m quiver.bench``."""
