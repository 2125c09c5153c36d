package io.quiver.core.stream.tree;

import io.quiver.core.stream.BlockAccess;

/** Learns how long blocks are, to tell how many a file has whose length is known only. */
final class BlockSizes {
  private long bytes;

  /** Notes a block; all but the last one of an object are equally long. */
  void note(BlockAccess access) {
    if (access.block() < access.blocks() - 1) {
      bytes = access.bytes();
    }
  }

  /** Returns how many blocks a file of some length has; 1 while no file of two blocks was seen. */
  int blocks(long fileBytes) {
    if (bytes == 0 || fileBytes <= bytes) {
      return 1;
    }
    return (int) Math.min(Integer.MAX_VALUE, (fileBytes + bytes - 1) / bytes);
  }

  /** Returns the length of a block of a file. */
  long length(long fileBytes, int block) {
    return bytes == 0 ? fileBytes : Math.min(bytes, fileBytes - block * bytes);
  }
}
