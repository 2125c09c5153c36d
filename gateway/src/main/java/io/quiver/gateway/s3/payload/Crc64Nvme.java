package io.quiver.gateway.s3.payload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.Checksum;

/**
 * The checksum CRC-64/NVME (reflected polynomial 9a6c9329ac4bc9b5), which the AWS command line
 * states by default and for which the SDK needs native code. Takes eight bytes a step.
 */
public final class Crc64Nvme implements Checksum {
  private static final long POLYNOMIAL = 0x9a6c9329ac4bc9b5L;
  private static final int STEP = Long.BYTES;
  private static final long[][] TABLES = tables();
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private long state = -1;

  private static long[][] tables() {
    long[][] tables = new long[STEP][256];
    for (int i = 0; i < 256; i++) {
      long value = i;
      for (int bit = 0; bit < 8; bit++) {
        value = (value & 1) != 0 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
      }
      tables[0][i] = value;
    }
    for (int i = 0; i < 256; i++) {
      for (int step = 1; step < STEP; step++) {
        long before = tables[step - 1][i];
        tables[step][i] = (before >>> 8) ^ tables[0][(int) before & 0xff];
      }
    }
    return tables;
  }

  @Override
  public void update(int b) {
    state = (state >>> 8) ^ TABLES[0][((int) state ^ b) & 0xff];
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    int at = offset;
    int end = offset + length;
    long value = state;
    while (end - at >= STEP) {
      value ^= (long) LONG.get(bytes, at);
      long next = 0;
      for (int i = 0; i < STEP; i++) {
        next ^= TABLES[STEP - 1 - i][(int) (value >>> (8 * i)) & 0xff];
      }
      value = next;
      at += STEP;
    }
    state = value;
    while (at < end) {
      update(bytes[at++]);
    }
  }

  @Override
  public long getValue() {
    return ~state;
  }

  @Override
  public void reset() {
    state = -1;
  }
}
