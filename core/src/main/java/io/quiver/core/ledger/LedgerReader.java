package io.quiver.core.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads a ledger batch by batch. A frame that was not written to its end, as a crash leaves it,
 * ends the ledger and is told by {@link #tornAt}; damage anywhere else is an error. Holds one batch
 * at a time.
 */
public final class LedgerReader implements AutoCloseable {
  private final InputStream in;
  private final LedgerHeader header;
  private long position;
  private long tornAt = -1;
  private int epoch;

  /** Reads the header. The stream, best a buffered one, is closed with this reader. */
  public LedgerReader(InputStream in) throws IOException {
    this.in = in;
    byte[] fixed = in.readNBytes(LedgerFormat.HEADER_BYTES);
    if (fixed.length < LedgerFormat.HEADER_BYTES) {
      throw new LedgerFormatException(fixed.length, "the file ends within the header of a ledger");
    }
    LedgerFormat.requireMagic(fixed);
    int more = (fixed[LedgerFormat.JOB_LENGTH_OFFSET] & 0xff) + LedgerFormat.CRC_BYTES;
    byte[] whole = Arrays.copyOf(fixed, fixed.length + more);
    if (in.readNBytes(whole, fixed.length, more) < more) {
      throw new LedgerFormatException(fixed.length, "the file ends within the header of a ledger");
    }
    this.header = LedgerFormat.decodeHeader(whole);
    this.position = whole.length;
  }

  /** What the ledger is about. */
  public LedgerHeader header() {
    return header;
  }

  /** The next batch; empty at the end, or where the end was torn off. */
  public Optional<LedgerBatch> next() throws IOException {
    if (tornAt >= 0) {
      return Optional.empty();
    }
    byte[] head = in.readNBytes(LedgerFormat.FRAME_HEAD_BYTES);
    if (head.length < LedgerFormat.FRAME_HEAD_BYTES) {
      return head.length == 0 ? Optional.empty() : torn();
    }
    ByteBuffer numbers = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    int length = numbers.getInt();
    if (length < 0 || length > LedgerFormat.MAX_PAYLOAD_BYTES) {
      return damagedOrTorn("a batch of " + Integer.toUnsignedString(length) + " bytes");
    }
    byte[] payload = in.readNBytes(length);
    if (payload.length < length) {
      return torn();
    }
    if (LedgerFormat.frameCrc(length, payload) != numbers.getInt()) {
      return damagedOrTorn("a batch whose checksum is wrong");
    }
    LedgerBatch batch = decode(payload);
    position += LedgerFormat.FRAME_HEAD_BYTES + (long) length;
    return Optional.of(batch);
  }

  /** Where the last frame, which is not whole, begins; empty while none was met. */
  public OptionalLong tornAt() {
    return tornAt < 0 ? OptionalLong.empty() : OptionalLong.of(tornAt);
  }

  private Optional<LedgerBatch> torn() {
    tornAt = position;
    return Optional.empty();
  }

  /** A bad frame with nothing after it was being written when the writer died. */
  private Optional<LedgerBatch> damagedOrTorn(String what) throws IOException {
    if (in.read() < 0) {
      return torn();
    }
    throw new LedgerFormatException(position, what + ", and more after it: the file is damaged");
  }

  private LedgerBatch decode(byte[] payload) {
    Varints numbers = new Varints(payload, position);
    int batchEpoch = numbers.below(Integer.MAX_VALUE, "epoch");
    long step = numbers.next();
    int[] items = new int[numbers.below(LedgerFormat.MAX_BATCH + 1, "batch size")];
    int padding = numbers.below(items.length + 1, "padding");
    for (int i = 0; i < items.length; i++) {
      items[i] = numbers.below(header.items(), "item");
    }
    numbers.requireEnd();
    if (batchEpoch < epoch) {
      throw new LedgerFormatException(position, "epoch " + batchEpoch + " after epoch " + epoch);
    }
    epoch = batchEpoch;
    return new LedgerBatch(batchEpoch, step, items, padding);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
