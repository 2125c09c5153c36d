package io.quiver.protocol;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The question of a get or a lookup: any {@code want} of these blobs.
 *
 * <pre>
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+----------------+----
 *   | "QVA1" | flags  |   n    |  want  | hash 0, 32 B   | ... n hashes
 *   +--------+--------+--------+--------+----------------+----
 *   flags: bit 0 = claim what is missing; all others zero
 * </pre>
 *
 * @param hashes what is asked for, in order of preference; repeats are legal
 * @param want how many hits suffice, 1 to the number of hashes
 * @param claim whether to claim what is missing for the asking job
 */
public record AskFrame(List<ContentHash> hashes, int want, boolean claim) implements GetFrame {
  /** Bytes before the first hash. */
  public static final int HEADER_BYTES = 16;

  /** Bytes of the longest question. */
  public static final int MAX_BYTES = HEADER_BYTES + Wire.MAX_BATCH * ContentHash.BYTES;

  private static final int MAGIC = Frames.magic('Q', 'V', 'A', '1');
  private static final int FLAGS = 4;
  private static final int COUNT = 8;
  private static final int WANT = 12;
  private static final int FLAG_CLAIM = 1;

  /** Keeps its own copy of the list. */
  public AskFrame {
    hashes = List.copyOf(hashes);
    if (hashes.isEmpty() || hashes.size() > Wire.MAX_BATCH) {
      throw new IllegalArgumentException(
          "a question is for 1 to " + Wire.MAX_BATCH + " blobs, not " + hashes.size());
    }
    if (want < 1 || want > hashes.size()) {
      throw new IllegalArgumentException("want " + want + " of " + hashes.size() + " blobs");
    }
  }

  /** Reads a whole question from the remaining bytes of a buffer. */
  public static AskFrame parse(ByteBuffer buffer) throws FrameException {
    ByteBuffer frame = Frames.view(buffer);
    Frames.requireStart(frame, HEADER_BYTES, MAGIC, "question");
    int flags = frame.getInt(FLAGS);
    if ((flags & ~FLAG_CLAIM) != 0) {
      throw new FrameException("question with unknown flags " + Integer.toHexString(flags));
    }
    int count = Frames.requireCount(frame.getInt(COUNT), "question");
    int want = frame.getInt(WANT);
    if (want < 1 || want > count) {
      throw new FrameException(
          "question wants " + Integer.toUnsignedString(want) + " of " + count + " blobs");
    }
    Frames.requireLength(frame, HEADER_BYTES + (long) count * ContentHash.BYTES, "question");
    ContentHash[] hashes = new ContentHash[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = ContentHash.read(frame, HEADER_BYTES + i * ContentHash.BYTES);
    }
    return new AskFrame(List.of(hashes), want, (flags & FLAG_CLAIM) != 0);
  }

  @Override
  public int rows() {
    return hashes.size();
  }

  @Override
  public int bytes() {
    return HEADER_BYTES + hashes.size() * ContentHash.BYTES;
  }

  @Override
  public void write(ByteBuffer target) {
    ByteBuffer frame = target.slice(target.position(), bytes()).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(0, MAGIC);
    frame.putInt(FLAGS, claim ? FLAG_CLAIM : 0);
    frame.putInt(COUNT, hashes.size());
    frame.putInt(WANT, want);
    for (int i = 0; i < hashes.size(); i++) {
      hashes.get(i).write(frame, HEADER_BYTES + i * ContentHash.BYTES);
    }
    target.position(target.position() + bytes());
  }
}
