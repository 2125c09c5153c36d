"""Examples that measure: ``fashion`` and ``sequences`` compare accuracies, ``sweep`` compares times."""
