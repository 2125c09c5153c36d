package io.quiver.core.number;

/** Computes binary logarithms bit by bit: floating-point ones differ between platforms. */
public final class BinaryLogarithm {
  private BinaryLogarithm() {}

  /**
   * Returns the first bits of log2(x / 2^31) for x from 2^31 up to 2^32, as a whole number.
   * Squaring doubles the logarithm, and each time it passes 1 the next bit is set. What does not
   * fit 32 bits is cut off.
   *
   * @param bits how many
   */
  public static long fraction(long x, int bits) {
    long mantissa = x;
    long fraction = 0;
    for (int i = 0; i < bits; i++) {
      mantissa = (mantissa * mantissa) >>> 31;
      fraction <<= 1;
      if (mantissa >= 1L << 32) {
        mantissa >>>= 1;
        fraction |= 1;
      }
    }
    return fraction;
  }
}
