package io.quiver.core.ledger;

import io.quiver.core.order.ItemList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads a ledger batch by batch. A frame that was not written to its end, as a crash leaves it,
 * ends the ledger and is told by {@link #tornAt}; damage anywhere else is an error. Holds one batch
 * and one list at a time.
 */
public final class LedgerReader implements AutoCloseable {
  private final InputStream in;
  private final LedgerHeader header;
  private long position;
  private long tornAt = -1;
  private final boolean hasKinds;
  private int epoch;
  private @Nullable LedgerList list;
  private int[] entries = new int[0];

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
    this.hasKinds = LedgerFormat.version(whole) != LedgerFormat.EPOCHS_ONLY;
    this.position = whole.length;
  }

  /** Returns the job, rank and order that the ledger is about. */
  public LedgerHeader header() {
    return header;
  }

  /** Returns the next batch; empty at the end, or where the end was torn off. */
  public Optional<LedgerBatch> next() throws IOException {
    Optional<byte[]> payload = frame();
    while (payload.isPresent()) {
      byte[] bytes = payload.get();
      Varints numbers = new Varints(bytes, position);
      int kind = hasKinds ? numbers.below(LedgerFormat.ENTRIES + 1, "kind") : LedgerFormat.BATCH;
      Optional<LedgerBatch> batch = Optional.empty();
      switch (kind) {
        case LedgerFormat.BATCH -> batch = Optional.of(decodeBatch(numbers));
        case LedgerFormat.LIST -> decodeList(numbers);
        default -> decodeEntries(numbers);
      }
      numbers.requireEnd();
      position += LedgerFormat.FRAME_HEAD_BYTES + (long) bytes.length;
      if (batch.isPresent()) {
        return batch;
      }
      payload = frame();
    }
    return Optional.empty();
  }

  /** Returns the list that the batch read last follows, or one that stands after the last batch. */
  public Optional<LedgerList> list() {
    return Optional.ofNullable(list);
  }

  private Optional<byte[]> frame() throws IOException {
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
      return damagedOrTorn("a frame of " + Integer.toUnsignedString(length) + " bytes");
    }
    byte[] payload = in.readNBytes(length);
    if (payload.length < length) {
      return torn();
    }
    if (LedgerFormat.frameCrc(length, payload) != numbers.getInt()) {
      return damagedOrTorn("a frame whose checksum is wrong");
    }
    return Optional.of(payload);
  }

  /** Returns where the last frame, which is not whole, begins; empty while none was met. */
  public OptionalLong tornAt() {
    return tornAt < 0 ? OptionalLong.empty() : OptionalLong.of(tornAt);
  }

  private Optional<byte[]> torn() {
    tornAt = position;
    return Optional.empty();
  }

  /** Tells damage from a bad frame at the end, which was being written when the writer died. */
  private Optional<byte[]> damagedOrTorn(String what) throws IOException {
    if (in.read() < 0) {
      return torn();
    }
    throw new LedgerFormatException(position, what + ", and more after it: the file is damaged");
  }

  private LedgerBatch decodeBatch(Varints numbers) {
    int batchEpoch = numbers.below(Integer.MAX_VALUE, "epoch");
    long step = numbers.next();
    int[] items = new int[numbers.below(LedgerFormat.MAX_BATCH + 1, "batch size")];
    int padding = numbers.below(items.length + 1, "padding");
    for (int i = 0; i < items.length; i++) {
      items[i] = numbers.below(header.items(), "item");
    }
    requireNotBack(batchEpoch);
    if (header.order() == LedgerOrder.LIST && (list == null || list.epoch() != batchEpoch)) {
      throw new LedgerFormatException(
          position, "a batch of epoch " + batchEpoch + " without a list");
    }
    return new LedgerBatch(batchEpoch, step, items, padding);
  }

  private void requireNotBack(int next) {
    if (next < epoch) {
      throw new LedgerFormatException(position, "epoch " + next + " after epoch " + epoch);
    }
    epoch = next;
  }

  private void decodeList(Varints numbers) {
    if (header.order() != LedgerOrder.LIST) {
      throw new LedgerFormatException(
          position, "a list, but the order is " + header.order().text());
    }
    int listEpoch = numbers.below(Integer.MAX_VALUE, "epoch");
    requireNotBack(listEpoch);
    int size = numbers.below(Integer.MAX_VALUE, "list size");
    String sha256 = HexFormat.of().formatHex(numbers.bytes(LedgerFormat.SHA256_BYTES));
    list = new LedgerList(listEpoch, size, sha256, Optional.empty());
    entries = new int[0];
    completeList(list);
  }

  private void decodeEntries(Varints numbers) {
    LedgerList current = list;
    int first = numbers.below(Integer.MAX_VALUE, "place");
    int count = numbers.below(LedgerFormat.MAX_BATCH + 1, "entries");
    if (current == null || first != entries.length || count > current.size() - first) {
      throw new LedgerFormatException(
          position, count + " entries from place " + first + " on, which no list has");
    }
    entries = Arrays.copyOf(entries, first + count);
    for (int i = first; i < entries.length; i++) {
      entries[i] = numbers.below(header.items(), "item");
    }
    completeList(current);
  }

  /** Makes the list of its entries when all have come. */
  private void completeList(LedgerList current) {
    if (entries.length < current.size()) {
      return;
    }
    ItemList whole = new ItemList(header.items(), entries);
    if (!whole.sha256().equals(current.sha256())) {
      throw new LedgerFormatException(position, "a list whose entries have another hash");
    }
    list = LedgerList.whole(current.epoch(), whole);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
