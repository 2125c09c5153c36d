"""Reads every image of a folder once per epoch, in a new order, with several threads.

Knows nothing of a cache. The pages of a file that was read are given back to the kernel, as happens
by itself when a data set does not fit into memory.
"""

import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor

folder, epochs, threads, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
images = sorted(
    os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names
)


def read(path):
    with open(path, "rb") as file:
        size = len(file.read())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return size


order = random.Random(seed)
total = 0
with ThreadPoolExecutor(threads) as pool:
    for _ in range(epochs):
        order.shuffle(images)
        total += sum(pool.map(read, images))
print(total)
