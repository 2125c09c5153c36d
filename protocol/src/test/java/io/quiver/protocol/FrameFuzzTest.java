package io.quiver.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.RankFrame.Row;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames survive the round trip, and no bytes whatever make a reader do worse than refuse. */
class FrameFuzzTest {
  private static final int ROUNDS = Boolean.getBoolean("quiver.test.long") ? 2_000_000 : 10_000;

  private final long seed = Long.getLong("quiver.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void whatIsWrittenIsReadBack() throws Exception {
    for (int round = 0; round < 500; round++) {
      AskFrame ask = randomAsk();
      assertThat(AskFrame.parse(ByteBuffer.wrap(bytes(ask)))).as("seed %d", seed).isEqualTo(ask);
      OfferFrame offer = randomOffer();
      ByteBuffer head = ByteBuffer.wrap(bytes(offer));
      assertThat(OfferFrame.headBytes(head)).isEqualTo(head.remaining());
      assertThat(OfferFrame.parse(head, head.remaining() + offer.payloadBytes()))
          .as("seed %d", seed)
          .isEqualTo(offer);
      ReceiptFrame receipts = randomReceipts();
      assertThat(ReceiptFrame.parse(ByteBuffer.wrap(bytes(receipts)), receipts.receipts().size()))
          .as("seed %d", seed)
          .isEqualTo(receipts);
      RankFrame rank = randomRank();
      assertThat(RankFrame.parse(ByteBuffer.wrap(bytes(rank)))).as("seed %d", seed).isEqualTo(rank);
    }
  }

  @Test
  void framesInTheMiddleOfABufferAreReadAndWrittenInPlace() throws Exception {
    AskFrame ask = randomAsk();
    ByteBuffer target = ByteBuffer.allocateDirect(ask.bytes() + 20);
    target.position(7);
    ask.write(target);
    assertThat(target.position()).isEqualTo(7 + ask.bytes());
    assertThat(target.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(AskFrame.parse(target.position(7).limit(7 + ask.bytes()))).isEqualTo(ask);
  }

  @Test
  void anOfferThatDoesNotAddUpToItsBodyIsRefused() throws Exception {
    OfferFrame offer = randomOffer();
    byte[] head = bytes(offer);
    long right = head.length + offer.payloadBytes();
    for (long wrong : new long[] {0, head.length - 1, right - 1, right + 1, Long.MAX_VALUE}) {
      try {
        OfferFrame.parse(ByteBuffer.wrap(head), wrong);
        fail("a body of %d bytes was taken for one of %d, seed %d", wrong, right, seed);
      } catch (FrameException e) {
        assertThat(e).hasMessageContaining("offer");
      }
    }
  }

  @Test
  void lengthsThatOverflowTogetherAreRefused() {
    OfferFrame offer =
        new OfferFrame(
            List.of(
                new Offer(randomHash(), SpaceId.DEFAULT, Long.MAX_VALUE - 200),
                new Offer(randomHash(), SpaceId.DEFAULT, Long.MAX_VALUE - 200)));
    assertThat(accepted(bytes(offer), frame -> OfferFrame.parse(frame))).isFalse();
  }

  @Test
  void rankingsThatContradictThemselvesAreRefused() throws Exception {
    RankFrame rank = randomRank();
    int zero = rank.bytes() - 1;
    for (int[] change : new int[][] {{4, 0}, {5, 0x41}, {8, 0}, {8, 2}, {12, 4}, {zero, 1}}) {
      byte[] frame = bytes(rank);
      frame[change[0]] = (byte) change[1];
      assertThat(accepted(frame, RankFrame::parse))
          .as("byte %d is %d, seed %d", change[0], change[1], seed)
          .isFalse();
    }
    ByteBuffer answer = ByteBuffer.allocate(RankedFrame.BYTES);
    new RankedFrame(3, 0).write(answer);
    assertThat(RankedFrame.parse(answer.flip(), 3).kept()).isEqualTo(3);
    assertThat(accepted(answer.array(), frame -> RankedFrame.parse(frame, 2))).isFalse();
  }

  @Test
  void moreRowsAndPrioritiesThanTheWireTakesAreNotMade() {
    Row row = new Row(randomHash(), Wire.MAX_PRIORITY);
    assertThatThrownBy(
            () -> new RankFrame(SpaceId.DEFAULT, Collections.nCopies(Wire.MAX_BATCH + 1, row)))
        .hasMessageContaining("16385");
    assertThat(new RankFrame(SpaceId.DEFAULT, Collections.nCopies(Wire.MAX_BATCH, row)).bytes())
        .isLessThanOrEqualTo(RankFrame.MAX_BYTES);
    assertThatThrownBy(() -> new Row(randomHash(), -1)).hasMessageContaining("priority -1");
    assertThatThrownBy(() -> new Offer(randomHash(), SpaceId.DEFAULT, 0, 1L << 32))
        .hasMessageContaining("priority 4294967296");
  }

  @Test
  void mutatedAndRandomFramesAreReadOrRefusedButNeverBreakTheReader() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] frame = mutate(randomFrame());
      int expected = 1 + random.nextInt(8);
      List<Reader> readers =
          List.of(
              AskFrame::parse,
              OfferFrame::parse,
              buffer -> OfferFrame.parse(buffer, frame.length + 100L),
              buffer -> AnswerFrame.parse(buffer, expected, 1000),
              buffer -> ReceiptFrame.parse(buffer, expected),
              RankFrame::parse,
              buffer -> RankedFrame.parse(buffer, expected));
      for (Reader reader : readers) {
        try {
          accepted(frame, reader);
        } catch (RuntimeException e) {
          throw new AssertionError("seed " + seed + " round " + round, e);
        }
      }
    }
  }

  /** A reader of one kind of frame. */
  private interface Reader {
    Object parse(ByteBuffer frame) throws FrameException;
  }

  private static boolean accepted(byte[] frame, Reader reader) {
    try {
      return reader.parse(ByteBuffer.wrap(frame)) != null;
    } catch (FrameException e) {
      return String.valueOf(e.getMessage()).isBlank();
    }
  }

  private byte[] randomFrame() {
    return switch (random.nextInt(6)) {
      case 0 -> bytes(randomAsk());
      case 1 -> bytes(randomOffer());
      case 2 -> bytes(randomReceipts());
      case 3 -> randomAnswer();
      case 4 -> bytes(randomRank());
      default -> randomBytes(random.nextInt(200));
    };
  }

  private byte[] mutate(byte[] frame) {
    byte[] changed =
        random.nextInt(3) == 0
            ? java.util.Arrays.copyOf(frame, random.nextInt(frame.length + 20))
            : frame.clone();
    int changes = random.nextInt(4);
    for (int i = 0; i < changes && changed.length > 0; i++) {
      int at = random.nextInt(random.nextBoolean() ? Math.min(changed.length, 24) : changed.length);
      changed[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (random.nextInt(3) - 1);
    }
    return changed;
  }

  private AskFrame randomAsk() {
    int count = 1 + random.nextInt(8);
    List<ContentHash> hashes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      hashes.add(randomHash());
    }
    return new AskFrame(hashes, 1 + random.nextInt(count), random.nextBoolean());
  }

  private OfferFrame randomOffer() {
    int count = 1 + random.nextInt(8);
    List<Offer> offers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SpaceId space = new SpaceId("s" + "x".repeat(random.nextInt(SpaceId.MAX_LENGTH)));
      offers.add(
          new Offer(
              randomHash(), space, random.nextInt(1 << random.nextInt(31)), randomPriority()));
    }
    return new OfferFrame(offers);
  }

  private ReceiptFrame randomReceipts() {
    int count = 1 + random.nextInt(8);
    List<Receipt> receipts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      receipts.add(List.of(Receipt.values()).get(random.nextInt(Receipt.values().length)));
    }
    return new ReceiptFrame(receipts, randomPriority());
  }

  private RankFrame randomRank() {
    List<Row> rows = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      rows.add(new Row(randomHash(), randomPriority()));
    }
    return new RankFrame(new SpaceId("s" + "x".repeat(random.nextInt(SpaceId.MAX_LENGTH))), rows);
  }

  private long randomPriority() {
    return Integer.toUnsignedLong(random.nextInt());
  }

  private byte[] randomAnswer() {
    int count = 1 + random.nextInt(8);
    ByteBuffer target = ByteBuffer.allocate(AnswerFrame.bytes(count));
    AnswerFrame frame = AnswerFrame.allocate(target, count);
    for (int i = 0; i < count; i++) {
      if (random.nextBoolean()) {
        frame.setHit(i, random.nextInt(1000), random.nextInt());
      } else {
        frame.set(i, List.of(AskStatus.values()).get(random.nextInt(AskStatus.values().length)));
      }
    }
    return target.array();
  }

  private ContentHash randomHash() {
    return ContentHash.of(randomBytes(ContentHash.BYTES));
  }

  private byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytes(AskFrame frame) {
    ByteBuffer target = ByteBuffer.allocate(frame.bytes());
    frame.write(target);
    return target.array();
  }

  private static byte[] bytes(OfferFrame frame) {
    ByteBuffer target = ByteBuffer.allocate(frame.headBytes());
    frame.writeHead(target);
    return target.array();
  }

  private static byte[] bytes(RankFrame frame) {
    ByteBuffer target = ByteBuffer.allocate(frame.bytes());
    frame.write(target);
    return target.array();
  }

  private static byte[] bytes(ReceiptFrame frame) {
    ByteBuffer target = ByteBuffer.allocate(frame.bytes());
    frame.write(target);
    return target.array();
  }
}
