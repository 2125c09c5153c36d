"""Examples that measure: ``python -m quiver.examples.fashion`` compares accuracies."""
