package io.quiver.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.PartsFrame.Part;
import io.quiver.protocol.ResolvedFrame.Row;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Frames of names and of parts: those of the golden files, the round trip, and bytes that make a
 * reader do no worse than refuse.
 */
class NameFramesTest {
  private static final int ROUNDS = Boolean.getBoolean("quiver.test.long") ? 2_000_000 : 10_000;

  private static final PartsFrame PARTS =
      new PartsFrame(
          List.of(
              new Part(hash("hello"), 1, 3),
              new Part(hash("world!"), 0, 6),
              new Part(hash("hello"), 1L << 40, Integer.MAX_VALUE)));
  private static final ResolveFrame RESOLVE = new ResolveFrame(names(2), false);
  private static final ResolveFrame RESOLVE_CLAIM = new ResolveFrame(names(4), true);
  private static final ResolvedFrame RESOLVED =
      new ResolvedFrame(
          List.of(
              Row.bound(new NameBinding(name(1), hash("hello"), 5)),
              Row.unbound(AskStatus.MISS),
              Row.unbound(AskStatus.YOURS),
              Row.unbound(AskStatus.PENDING)));
  private static final BindFrame BIND =
      new BindFrame(
          new SpaceId("stream-1"),
          List.of(
              new NameBinding(name(1), hash("hello"), 5), new NameBinding(name(2), hash(""), 0)));

  private final long seed = Long.getLong("quiver.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** A reader of one kind of frame. */
  private interface Reader {
    Object parse(ByteBuffer frame) throws FrameException;
  }

  @Test
  void framesAreReadAndWrittenByteForByte() throws Exception {
    requireGolden("ask-parts.bin", PARTS, GetFrame::parse, PARTS.bytes(), PARTS::write);
    requireGolden("resolve.bin", RESOLVE, ResolveFrame::parse, RESOLVE.bytes(), RESOLVE::write);
    requireGolden(
        "resolve-claim.bin",
        RESOLVE_CLAIM,
        ResolveFrame::parse,
        RESOLVE_CLAIM.bytes(),
        RESOLVE_CLAIM::write);
    requireGolden(
        "resolved.bin",
        RESOLVED,
        frame -> ResolvedFrame.parse(frame, names(4)),
        RESOLVED.bytes(),
        RESOLVED::write);
    requireGolden("bind.bin", BIND, BindFrame::parse, BIND.bytes(), BIND::write);
  }

  @Test
  void bothFormsOfAGetAreToldApart() throws Exception {
    assertThat(GetFrame.parse(ByteBuffer.wrap(vector("ask.bin")))).isInstanceOf(AskFrame.class);
    assertThat(GetFrame.parse(ByteBuffer.wrap(vector("ask-parts.bin")))).isEqualTo(PARTS);
    assertThat(PARTS.rows()).isEqualTo(3);
  }

  @Test
  void theAnswerForPartsIsThatOfAGet() throws Exception {
    byte[] file = vector("answer-parts.bin");
    ByteBuffer head = ByteBuffer.wrap(file, 0, AnswerFrame.bytes(3));
    AnswerFrame answer = AnswerFrame.parse(head, 3, 100);
    assertThat(answer.length(0)).isEqualTo(3);
    assertThat(answer.length(1)).isEqualTo(6);
    assertThat(answer.status(2)).isEqualTo(AskStatus.MISS);
    assertThat(answer.payloadBytes()).isEqualTo(file.length - AnswerFrame.bytes(3));
  }

  private static void requireGolden(
      String file, Object frame, Reader reader, int bytes, Consumer<ByteBuffer> writer)
      throws Exception {
    byte[] golden = vector(file);
    assertThat(reader.parse(ByteBuffer.wrap(golden))).isEqualTo(frame);
    ByteBuffer target = ByteBuffer.allocateDirect(bytes + 20);
    for (int i = 0; i < target.capacity(); i++) {
      target.put(i, (byte) 0x55);
    }
    writer.accept(target.position(7));
    assertThat(target.position()).isEqualTo(7 + bytes);
    assertThat(target.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(target.slice(7, bytes)).isEqualTo(ByteBuffer.wrap(golden));
    for (int length = 0; length < golden.length; length++) {
      ByteBuffer prefix = ByteBuffer.wrap(golden, 0, length);
      assertThatThrownBy(() -> reader.parse(prefix))
          .as("%s cut at %d", file, length)
          .isInstanceOf(FrameException.class);
    }
    byte[] longer = Arrays.copyOf(golden, golden.length + 1);
    assertThat(accepted(longer, reader)).as("%s with a byte more", file).isFalse();
    byte[] changed = golden.clone();
    changed[3] ^= 4;
    assertThatThrownBy(() -> reader.parse(ByteBuffer.wrap(changed)))
        .isInstanceOf(FrameException.class)
        .hasMessageContaining("begins with");
  }

  @Test
  void reservedBytesThatAreNotZeroAreRefused() {
    requireRefused(bytes(PARTS.bytes(), PARTS::write), GetFrame::parse, 4, 7, 12, 15, 16 + 44);
    requireRefused(bytes(RESOLVE.bytes(), RESOLVE::write), ResolveFrame::parse, 4, 7, 12, 15);
    requireRefused(
        bytes(RESOLVED.bytes(), RESOLVED::write),
        frame -> ResolvedFrame.parse(frame, names(4)),
        8,
        15,
        16 + 1,
        16 + 7,
        16 + 48 + 8,
        16 + 48 + 47);
  }

  private static void requireRefused(byte[] frame, Reader reader, int... places) {
    for (int place : places) {
      byte[] changed = frame.clone();
      changed[place] |= (byte) 0x82;
      assertThat(accepted(changed, reader)).as("byte %d", place).isFalse();
    }
  }

  @Test
  void partsOfNoBytesOrNowhereAreRefused() {
    ByteBuffer frame = ByteBuffer.wrap(bytes(PARTS.bytes(), PARTS::write));
    frame.order(ByteOrder.LITTLE_ENDIAN);
    byte[] right = frame.array().clone();
    frame.putInt(16 + 40, 0);
    assertThat(accepted(frame.array(), GetFrame::parse)).isFalse();
    frame.putInt(16 + 40, -1);
    assertThat(accepted(frame.array(), GetFrame::parse)).isFalse();
    frame.put(0, right).putLong(16 + 32, -1);
    assertThat(accepted(frame.array(), GetFrame::parse)).isFalse();
    assertThatThrownBy(() -> new Part(hash(""), 0, 0)).hasMessageContaining("0 bytes");
  }

  @Test
  void statusesThatNoNameHasAreRefused() {
    byte[] frame = bytes(RESOLVED.bytes(), RESOLVED::write);
    for (int status : new int[] {1, 4, 5, 6, 255}) {
      byte[] changed = frame.clone();
      changed[16 + 48] = (byte) status;
      boolean isHit = status == 1;
      assertThat(accepted(changed, bytes -> ResolvedFrame.parse(bytes, names(4)))).isEqualTo(isHit);
    }
    frame[16] = 0;
    assertThat(accepted(frame, bytes -> ResolvedFrame.parse(bytes, names(4)))).isFalse();
    assertThatThrownBy(() -> Row.unbound(AskStatus.SKIPPED)).hasMessageContaining("SKIPPED");
    assertThatThrownBy(() -> new Row(AskStatus.HIT, Optional.empty())).hasMessageContaining("HIT");
  }

  @Test
  void anAnswerForOtherNamesIsRefused() {
    byte[] frame = bytes(RESOLVED.bytes(), RESOLVED::write);
    assertThat(accepted(frame, bytes -> ResolvedFrame.parse(bytes, names(3)))).isFalse();
    assertThat(accepted(frame, bytes -> ResolvedFrame.parse(bytes, names(5)))).isFalse();
  }

  @Test
  void moreRowsThanTheWireTakesAreNotMade() {
    int most = Wire.MAX_BATCH;
    List<BlockName> names = Collections.nCopies(most + 1, name(1));
    assertThatThrownBy(() -> new ResolveFrame(names, true)).hasMessageContaining("16385");
    assertThat(new ResolveFrame(names.subList(1, most + 1), true).bytes())
        .isEqualTo(ResolveFrame.MAX_BYTES);
    List<Part> parts = Collections.nCopies(most + 1, new Part(hash(""), 0, 1));
    assertThatThrownBy(() -> new PartsFrame(parts)).hasMessageContaining("16385");
    assertThat(new PartsFrame(parts.subList(1, most + 1)).bytes()).isEqualTo(PartsFrame.MAX_BYTES);
    NameBinding binding = new NameBinding(name(1), hash(""), 0);
    List<NameBinding> bindings = Collections.nCopies(most + 1, binding);
    assertThatThrownBy(() -> new BindFrame(SpaceId.DEFAULT, bindings))
        .hasMessageContaining("16385");
    assertThat(new BindFrame(SpaceId.DEFAULT, bindings.subList(1, most + 1)).bytes())
        .isLessThanOrEqualTo(BindFrame.MAX_BYTES);
    assertThatThrownBy(() -> new ResolveFrame(List.of(), true)).hasMessageContaining("not 0");
  }

  @Test
  void mutatedAndRandomFramesAreReadOrRefusedButNeverBreakTheReader() {
    for (int round = 0; round < ROUNDS; round++) {
      List<BlockName> asked = randomNames();
      byte[] frame = mutate(randomFrame(asked));
      List<Reader> readers =
          List.of(
              GetFrame::parse,
              ResolveFrame::parse,
              buffer -> ResolvedFrame.parse(buffer, asked),
              BindFrame::parse);
      for (Reader reader : readers) {
        try {
          accepted(frame, reader);
        } catch (RuntimeException e) {
          throw new AssertionError("seed " + seed + " round " + round, e);
        }
      }
    }
  }

  @Test
  void whatIsWrittenIsReadBack() throws Exception {
    for (int round = 0; round < 500; round++) {
      List<BlockName> asked = randomNames();
      PartsFrame parts = randomParts();
      assertThat(GetFrame.parse(ByteBuffer.wrap(bytes(parts.bytes(), parts::write))))
          .as("seed %d", seed)
          .isEqualTo(parts);
      ResolvedFrame resolved = randomResolved(asked);
      byte[] written = bytes(resolved.bytes(), resolved::write);
      assertThat(ResolvedFrame.parse(ByteBuffer.wrap(written), asked))
          .as("seed %d", seed)
          .isEqualTo(resolved);
      BindFrame bind = randomBind(asked);
      assertThat(BindFrame.parse(ByteBuffer.wrap(bytes(bind.bytes(), bind::write))))
          .as("seed %d", seed)
          .isEqualTo(bind);
    }
  }

  private static boolean accepted(byte[] frame, Reader reader) {
    try {
      return reader.parse(ByteBuffer.wrap(frame)) != null;
    } catch (FrameException e) {
      return String.valueOf(e.getMessage()).isBlank();
    }
  }

  private byte[] randomFrame(List<BlockName> asked) {
    return switch (random.nextInt(4)) {
      case 0 -> {
        PartsFrame parts = randomParts();
        yield bytes(parts.bytes(), parts::write);
      }
      case 1 -> {
        ResolveFrame resolve = new ResolveFrame(asked, random.nextBoolean());
        yield bytes(resolve.bytes(), resolve::write);
      }
      case 2 -> {
        ResolvedFrame resolved = randomResolved(asked);
        yield bytes(resolved.bytes(), resolved::write);
      }
      default -> {
        BindFrame bind = randomBind(asked);
        yield bytes(bind.bytes(), bind::write);
      }
    };
  }

  private byte[] mutate(byte[] frame) {
    byte[] changed =
        random.nextInt(3) == 0
            ? Arrays.copyOf(frame, random.nextInt(frame.length + 20))
            : frame.clone();
    for (int i = random.nextInt(4); i > 0 && changed.length > 0; i--) {
      int at = random.nextInt(random.nextBoolean() ? Math.min(changed.length, 24) : changed.length);
      changed[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (random.nextInt(3) - 1);
    }
    return changed;
  }

  private PartsFrame randomParts() {
    List<Part> parts = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      long offset = random.nextLong() & Long.MAX_VALUE;
      parts.add(new Part(randomHash(), offset, 1 + random.nextInt(Integer.MAX_VALUE)));
    }
    return new PartsFrame(parts);
  }

  private ResolvedFrame randomResolved(List<BlockName> asked) {
    List<AskStatus> unbound = List.of(AskStatus.MISS, AskStatus.YOURS, AskStatus.PENDING);
    return new ResolvedFrame(
        asked.stream()
            .map(name ->
                random.nextBoolean()
                    ? Row.bound(randomBinding(name))
                    : Row.unbound(unbound.get(random.nextInt(3))))
            .toList());
  }

  private BindFrame randomBind(List<BlockName> names) {
    SpaceId space = new SpaceId("s" + "x".repeat(random.nextInt(SpaceId.MAX_LENGTH)));
    return new BindFrame(space, names.stream().map(this::randomBinding).toList());
  }

  private NameBinding randomBinding(BlockName name) {
    return new NameBinding(name, randomHash(), random.nextLong() & Long.MAX_VALUE);
  }

  private List<BlockName> randomNames() {
    List<BlockName> names = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      names.add(new BlockName(randomHash()));
    }
    return names;
  }

  private ContentHash randomHash() {
    byte[] bytes = new byte[ContentHash.BYTES];
    random.nextBytes(bytes);
    return ContentHash.of(bytes);
  }

  private static byte[] bytes(int length, Consumer<ByteBuffer> write) {
    ByteBuffer target = ByteBuffer.allocate(length);
    write.accept(target);
    return target.array();
  }

  private static List<BlockName> names(int count) {
    List<BlockName> names = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      names.add(name(i));
    }
    return names;
  }

  private static BlockName name(int number) {
    return new BlockName(hash("name " + number));
  }

  private static ContentHash hash(String text) {
    return ContentHash.ofContent(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] vector(String name) throws IOException {
    return Files.readAllBytes(Path.of(System.getProperty("quiver.test.vectors"), "protocol", name));
  }
}
