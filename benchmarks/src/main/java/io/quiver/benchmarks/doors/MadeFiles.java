package io.quiver.benchmarks.doors;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Random;

/**
 * Files of one size whose bytes need no disk: each begins with its number, and the rest is cut from
 * one random buffer at a place that the number decides.
 *
 * @param count how many there are
 * @param bytes the length of each, at least {@value #NUMBER_BYTES}
 */
record MadeFiles(int count, long bytes) {
  /** The bytes of the number that each file begins with. */
  static final int NUMBER_BYTES = 8;

  private static final int BLOCK = 8 << 20;
  private static final ByteBuffer RANDOM = random();

  MadeFiles {
    if (count < 1 || bytes < NUMBER_BYTES) {
      throw new IllegalArgumentException(count + " files of " + bytes + " bytes are too few");
    }
  }

  private static ByteBuffer random() {
    byte[] bytes = new byte[BLOCK];
    new Random(1).nextBytes(bytes);
    return ByteBuffer.allocateDirect(BLOCK).put(bytes).flip();
  }

  /** Returns the name of a file. */
  static String name(int number) {
    return String.format(Locale.ROOT, "f%07d", number);
  }

  /** Returns the number in a name, or a number below 0 if there is no such file. */
  int number(String name) {
    if (name.length() < 2 || name.charAt(0) != 'f') {
      return -1;
    }
    int number = 0;
    for (int i = 1; i < name.length(); i++) {
      int digit = name.charAt(i) - '0';
      if (digit < 0 || digit > 9 || number > count) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number < count ? number : -1;
  }

  /** Copies bytes of a file; the range lies within it. */
  void copy(int number, long offset, ByteBuffer target) {
    long at = offset;
    if (at < NUMBER_BYTES && target.hasRemaining()) {
      ByteBuffer head = ByteBuffer.allocate(NUMBER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      head.putLong(0, number).position((int) at);
      head.limit((int) Math.min(NUMBER_BYTES, at + target.remaining()));
      at += head.remaining();
      target.put(head);
    }
    while (target.hasRemaining()) {
      int from = (int) ((at + 4096L * number) % BLOCK);
      int length = Math.min(target.remaining(), BLOCK - from);
      target.put(RANDOM.slice(from, length));
      at += length;
    }
  }
}
