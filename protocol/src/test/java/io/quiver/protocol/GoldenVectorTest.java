package io.quiver.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.RankFrame.Row;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The files under {@code test-vectors/protocol}, which other languages read too. */
class GoldenVectorTest {
  private static final AskFrame ASK =
      new AskFrame(List.of(hash("a"), hash("b"), hash("c")), 2, false);
  private static final AskFrame ASK_CLAIM = new AskFrame(List.of(hash(""), hash("")), 1, true);
  private static final OfferFrame OFFER =
      new OfferFrame(
          List.of(
              new Offer(hash("hello"), SpaceId.DEFAULT, 5, Wire.MAX_PRIORITY - 1000),
              new Offer(hash(""), new SpaceId("imagenet.chunk-3"), 0),
              new Offer(hash("world!"), SpaceId.DEFAULT, 6, 1)));
  private static final ReceiptFrame RECEIPT =
      new ReceiptFrame(List.of(Receipt.values()), Wire.MAX_PRIORITY - 2000);
  private static final RankFrame RANK =
      new RankFrame(
          new SpaceId("ds-0123456789abcdef.ranked"),
          List.of(
              new Row(hash("hello"), Wire.MAX_PRIORITY - 1000),
              new Row(hash(""), 0),
              new Row(hash("world!"), Wire.MAX_PRIORITY)));
  private static final RankedFrame RANKED = new RankedFrame(2, Wire.MAX_PRIORITY - 2000);
  private static final int ANSWER_ROWS = 8;

  @Test
  void questionsAreReadAndWrittenByteForByte() throws Exception {
    assertThat(AskFrame.parse(ByteBuffer.wrap(vector("ask.bin")))).isEqualTo(ASK);
    assertThat(AskFrame.parse(ByteBuffer.wrap(vector("ask-claim.bin")))).isEqualTo(ASK_CLAIM);
    assertThat(written(ASK)).isEqualTo(vector("ask.bin"));
    assertThat(written(ASK_CLAIM)).isEqualTo(vector("ask-claim.bin"));
  }

  @Test
  void answersAreReadAndWrittenByteForByte() throws Exception {
    byte[] file = vector("answer.bin");
    byte[] head = Arrays.copyOf(file, AnswerFrame.bytes(ANSWER_ROWS));
    AnswerFrame read = AnswerFrame.parse(ByteBuffer.wrap(head), ANSWER_ROWS, 100);
    assertThat(read.payloadBytes()).isEqualTo(file.length - head.length).isEqualTo(11);
    assertThat(statuses(read))
        .containsExactly(
            AskStatus.HIT,
            AskStatus.MISS,
            AskStatus.YOURS,
            AskStatus.PENDING,
            AskStatus.HIT,
            AskStatus.HIT,
            AskStatus.SKIPPED,
            AskStatus.DEFERRED);
    assertThat(read.length(0)).isEqualTo(5);
    assertThat(read.crc32c(0)).isEqualTo(crc("hello"));
    assertThat(read.length(4)).isZero();
    assertThat(read.crc32c(5)).isEqualTo(crc("world!"));
    assertThat(writtenAnswer()).isEqualTo(head);
  }

  @Test
  void offersAreReadAndWrittenByteForByte() throws Exception {
    byte[] file = vector("offer.bin");
    byte[] head = Arrays.copyOf(file, OfferFrame.headBytes(ByteBuffer.wrap(file, 0, 16)));
    assertThat(OfferFrame.parse(ByteBuffer.wrap(head), file.length)).isEqualTo(OFFER);
    assertThat(OfferFrame.parse(ByteBuffer.wrap(head))).isEqualTo(OFFER);
    ByteBuffer target = ByteBuffer.allocate(OFFER.headBytes());
    OFFER.writeHead(target);
    assertThat(target.array()).isEqualTo(head);
    assertThat(OFFER.payloadBytes()).isEqualTo(file.length - head.length);
  }

  @Test
  void receiptsAreReadAndWrittenByteForByte() throws Exception {
    assertThat(ReceiptFrame.parse(ByteBuffer.wrap(vector("receipt.bin")), 7)).isEqualTo(RECEIPT);
    ByteBuffer target = ByteBuffer.allocate(RECEIPT.bytes());
    RECEIPT.write(target);
    assertThat(target.array()).isEqualTo(vector("receipt.bin"));
  }

  @Test
  void rankingsAndTheirAnswersAreReadAndWrittenByteForByte() throws Exception {
    assertThat(RankFrame.parse(ByteBuffer.wrap(vector("rank.bin")))).isEqualTo(RANK);
    ByteBuffer rank = ByteBuffer.allocate(RANK.bytes());
    RANK.write(rank);
    assertThat(rank.array()).isEqualTo(vector("rank.bin"));
    assertThat(RankedFrame.parse(ByteBuffer.wrap(vector("ranked.bin")), 3)).isEqualTo(RANKED);
    ByteBuffer ranked = ByteBuffer.allocate(RankedFrame.BYTES);
    RANKED.write(ranked);
    assertThat(ranked.array()).isEqualTo(vector("ranked.bin"));
  }

  @Test
  void everyProperPrefixIsRefused() throws Exception {
    refusesPrefixes(vector("ask.bin"), AskFrame::parse);
    refusesPrefixes(
        Arrays.copyOf(vector("answer.bin"), AnswerFrame.bytes(ANSWER_ROWS)),
        frame -> AnswerFrame.parse(frame, ANSWER_ROWS, 100));
    int offerBytes = vector("offer.bin").length;
    refusesPrefixes(
        Arrays.copyOf(vector("offer.bin"), OFFER.headBytes()),
        frame -> OfferFrame.parse(frame, offerBytes));
    refusesPrefixes(vector("receipt.bin"), frame -> ReceiptFrame.parse(frame, 7));
    refusesPrefixes(vector("rank.bin"), RankFrame::parse);
    refusesPrefixes(vector("ranked.bin"), frame -> RankedFrame.parse(frame, 3));
  }

  /** A reader of one kind of frame. */
  private interface Reader {
    Object parse(ByteBuffer frame) throws FrameException;
  }

  private static void refusesPrefixes(byte[] frame, Reader reader) {
    for (int length = 0; length < frame.length; length++) {
      ByteBuffer prefix = ByteBuffer.wrap(frame, 0, length);
      assertThatThrownBy(() -> reader.parse(prefix))
          .as("cut at %d of %d", length, frame.length)
          .isInstanceOf(FrameException.class);
    }
    for (int i = 0; i < 4; i++) {
      byte[] changed = frame.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> reader.parse(ByteBuffer.wrap(changed)))
          .isInstanceOf(FrameException.class)
          .hasMessageContaining("begins with");
    }
  }

  private static byte[] written(AskFrame frame) {
    ByteBuffer target = ByteBuffer.allocate(frame.bytes());
    frame.write(target);
    return target.array();
  }

  private static byte[] writtenAnswer() {
    ByteBuffer target = ByteBuffer.allocate(AnswerFrame.bytes(ANSWER_ROWS));
    Arrays.fill(target.array(), (byte) 0x55);
    AnswerFrame frame = AnswerFrame.allocate(target, ANSWER_ROWS);
    frame.setHit(0, 5, crc("hello"));
    frame.set(1, AskStatus.MISS);
    frame.set(2, AskStatus.YOURS);
    frame.set(3, AskStatus.PENDING);
    frame.setHit(4, 0, 0);
    frame.setHit(5, 6, crc("world!"));
    frame.set(6, AskStatus.SKIPPED);
    frame.set(7, AskStatus.DEFERRED);
    return target.array();
  }

  private static List<AskStatus> statuses(AnswerFrame frame) {
    return java.util.stream.IntStream.range(0, frame.count()).mapToObj(frame::status).toList();
  }

  private static byte[] vector(String name) throws IOException {
    return Files.readAllBytes(Path.of(System.getProperty("quiver.test.vectors"), "protocol", name));
  }

  private static ContentHash hash(String text) {
    return ContentHash.ofContent(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static int crc(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    return (int) crc.getValue();
  }
}
