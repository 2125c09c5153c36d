package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.OfferFrame;
import io.quiver.protocol.Receipt;
import io.quiver.protocol.ResolveFrame;
import io.quiver.protocol.ResolvedFrame;
import io.quiver.protocol.Wire;
import io.quiver.server.TestClient.Answer;
import io.quiver.server.TestClient.Blobs;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import io.quiver.store.StoreUsage;
import io.quiver.store.memory.MemoryBlobStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimCallsTest {
  private static final byte[] CONTENT = {1, 2, 3};
  private static final ContentHash HASH = ContentHash.ofContent(CONTENT);

  private TestServer server;
  private TestClient client;

  @BeforeEach
  void start() throws Exception {
    server = new TestServer(config -> config.withIdleTimeout(Duration.ofDays(1)));
    client = server.client();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.assertHealthyAndEmpty();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {Wire.GET_PATH, Wire.LOOKUP_PATH})
  void theFirstJobFetchesAndTheOthersWait(String path) throws Exception {
    Blobs first = claim(path, "a");
    assertThat(statuses(first)).containsExactly(AskStatus.YOURS);
    assertThat(first.answer().field(Wire.CLAIM_LEASE_HEADER)).isEqualTo("5000");
    Blobs second = claim(path, "b");
    assertThat(statuses(second)).containsExactly(AskStatus.PENDING);
    assertThat(second.answer().field(Wire.CLAIM_LEASE_HEADER)).isEmpty();
    assertThat(statuses(claim(path, "a"))).containsExactly(AskStatus.YOURS);
  }

  @Test
  void anExpiredClaimPassesToTheNextJob() throws Exception {
    claim(Wire.LOOKUP_PATH, "a");
    server.skewNanos.addAndGet(Duration.ofSeconds(4).toNanos());
    assertThat(statuses(claim(Wire.LOOKUP_PATH, "b"))).containsExactly(AskStatus.PENDING);
    server.skewNanos.addAndGet(Duration.ofMillis(1_001).toNanos());
    assertThat(statuses(claim(Wire.LOOKUP_PATH, "b"))).containsExactly(AskStatus.YOURS);
    assertThat(statuses(claim(Wire.LOOKUP_PATH, "a"))).containsExactly(AskStatus.PENDING);
  }

  @Test
  void anInsertEndsTheClaim() throws Exception {
    claim(Wire.LOOKUP_PATH, "a");
    assertThat(client.ask("GET /v1/status").text()).contains("\"claims\":1");
    client.put(
        new OfferFrame(List.of(new OfferFrame.Offer(HASH, SpaceId.DEFAULT, CONTENT.length))),
        CONTENT);
    assertThat(client.ask("GET /v1/status").text()).contains("\"claims\":0");
    assertThat(statuses(claim(Wire.LOOKUP_PATH, "b"))).containsExactly(AskStatus.HIT);
    assertThat(claim(Wire.GET_PATH, "b").payload()).isEqualTo(CONTENT);
  }

  @Test
  void oneGetServesWhatIsHereAndClaimsWhatItMisses() throws Exception {
    byte[] here = server.stored(new Random(3), 100);
    ContentHash other = ContentHash.ofContent(new byte[] {9});
    claim(Wire.GET_PATH, "a");
    List<ContentHash> hashes = List.of(HASH, ContentHash.ofContent(here), other);
    Blobs answer = client.blobs(Wire.GET_PATH, new AskFrame(hashes, 3, true), "Quiver-Job: b\r\n");
    assertThat(statuses(answer)).containsExactly(AskStatus.PENDING, AskStatus.HIT, AskStatus.YOURS);
    assertThat(answer.payload()).isEqualTo(here);
    assertThat(answer.answer().field(Wire.CLAIM_LEASE_HEADER)).isEqualTo("5000");
  }

  @Test
  void whatWasNotLookedAtIsNotClaimed() throws Exception {
    byte[] here = server.stored(new Random(3), 100);
    AskFrame ask = new AskFrame(List.of(ContentHash.ofContent(here), HASH), 1, true);
    for (String path : List.of(Wire.GET_PATH, Wire.LOOKUP_PATH)) {
      assertThat(statuses(client.blobs(path, ask, "Quiver-Job: a\r\n")))
          .containsExactly(AskStatus.HIT, AskStatus.SKIPPED);
    }
    assertThat(statuses(claim(Wire.LOOKUP_PATH, "b"))).containsExactly(AskStatus.YOURS);
  }

  @Test
  void aJobThatDiesKeepsNothingLongerThanTheLease() throws Exception {
    try (TestClient dying = server.client()) {
      AskFrame ask = new AskFrame(List.of(HASH), 1, true);
      dying.blobs(Wire.GET_PATH, ask, "Quiver-Job: dying\r\n");
    }
    assertThat(statuses(claim(Wire.GET_PATH, "b"))).containsExactly(AskStatus.PENDING);
    server.skewNanos.addAndGet(Duration.ofMillis(5_001).toNanos());
    assertThat(client.ask("GET /v1/status").text()).contains("\"claims\":0");
    assertThat(statuses(claim(Wire.GET_PATH, "b"))).containsExactly(AskStatus.YOURS);
  }

  @Test
  void aBlobTheServerDoesNotTakeIsNotWaitedFor() throws Exception {
    claim(Wire.LOOKUP_PATH, "a");
    server.store.limit(SpaceId.DEFAULT, 1);
    OfferFrame offer =
        new OfferFrame(List.of(new OfferFrame.Offer(HASH, SpaceId.DEFAULT, CONTENT.length)));
    assertThat(client.put(offer, CONTENT)).containsExactly(Receipt.NO_ROOM);
    assertThat(statuses(claim(Wire.LOOKUP_PATH, "b"))).containsExactly(AskStatus.YOURS);
  }

  @Test
  void wrongBytesDoNotEndAClaim() throws Exception {
    claim(Wire.LOOKUP_PATH, "a");
    OfferFrame offer = new OfferFrame(List.of(new OfferFrame.Offer(HASH, SpaceId.DEFAULT, 3)));
    assertThat(client.put(offer, new byte[3])).containsExactly(Receipt.HASH_MISMATCH);
    assertThat(statuses(claim(Wire.LOOKUP_PATH, "b"))).containsExactly(AskStatus.PENDING);
  }

  @Test
  void aQuestionThatDoesNotClaimLeavesNoClaim() throws Exception {
    AskFrame ask = new AskFrame(List.of(HASH), 1, false);
    assertThat(statuses(client.blobs(Wire.GET_PATH, ask, "Quiver-Job: a\r\n")))
        .containsExactly(AskStatus.MISS);
    assertThat(statuses(claim(Wire.LOOKUP_PATH, "b"))).containsExactly(AskStatus.YOURS);
  }

  @Test
  void aClaimNeedsAJobWithAUsableName() throws Exception {
    byte[] ask = TestClient.bytes(new AskFrame(List.of(HASH), 1, true));
    assertThat(client.ask("POST " + Wire.LOOKUP_PATH, "", ask).text()).contains("Quiver-Job");
    String tooLong = "Quiver-Job: " + "j".repeat(Wire.MAX_JOB_LENGTH + 1) + "\r\n";
    assertThat(client.ask("POST " + Wire.LOOKUP_PATH, tooLong, ask).status()).isEqualTo(400);
    String control = "Quiver-Job: a\u0001b\r\n";
    assertThat(client.ask("POST " + Wire.LOOKUP_PATH, control, ask).status()).isEqualTo(400);
  }

  @Test
  void aBlobThatArrivesBetweenTheLookAndTheClaimIsNotFetchedAgain() throws Exception {
    try (TestServer racing = new TestServer(new LateStore(), config -> config);
        TestClient own = racing.client()) {
      AskFrame ask = new AskFrame(List.of(HASH), 1, true);
      assertThat(statuses(own.blobs(Wire.GET_PATH, ask, "Quiver-Job: a\r\n")))
          .containsExactly(AskStatus.DEFERRED);
      assertThat(own.ask("GET /v1/status").text()).contains("\"claims\":0");
    }
  }

  private Blobs claim(String path, String job) throws Exception {
    AskFrame ask = new AskFrame(List.of(HASH), 1, true);
    return client.blobs(path, ask, "Quiver-Job: " + job + "\r\n");
  }

  private static List<AskStatus> statuses(Blobs blobs) {
    return IntStream.range(0, blobs.frame().count()).mapToObj(blobs.frame()::status).toList();
  }

  @Test
  void aNameThatIsBoundBetweenTheLookAndTheClaimIsNotHandedOut() throws Exception {
    try (TestServer racing = new TestServer(new LateStore(), config -> config);
        TestClient own = racing.client()) {
      ResolveFrame ask = new ResolveFrame(List.of(new BlockName(HASH)), true);
      ByteBuffer body = ByteBuffer.allocate(ask.bytes());
      ask.write(body);
      Answer answer = own.ask("POST " + Wire.RESOLVE_PATH, "Quiver-Job: a\r\n", body.array());
      assertThat(ResolvedFrame.parse(ByteBuffer.wrap(answer.body()), ask.names()).rows())
          .containsExactly(ResolvedFrame.Row.bound(new NameBinding(new BlockName(HASH), HASH, 1)));
      assertThat(answer.fields()).doesNotContainKey("quiver-claim-lease-ms");
      assertThat(own.ask("GET /v1/status").text()).contains("\"claims\":0");
    }
  }

  /** A store whose blobs and names arrive just after they were looked for in vain. */
  private static final class LateStore implements BlobStore {
    private final BlobStore empty = new MemoryBlobStore(1_000, 1_000);
    private final AtomicBoolean looked = new AtomicBoolean();

    @Override
    public List<Optional<NameBinding>> resolve(List<BlockName> names) {
      return looked.getAndSet(true)
          ? names.stream().map(name -> Optional.of(new NameBinding(name, HASH, 1))).toList()
          : empty.resolve(names);
    }

    @Override
    public PutOutcome bind(NameBinding binding, SpaceId space, BooleanSupplier admit) {
      return empty.bind(binding, space, admit);
    }

    @Override
    public boolean[] contains(List<ContentHash> hashes) {
      boolean[] here = new boolean[hashes.size()];
      Arrays.fill(here, true);
      return here;
    }

    @Override
    public BlobBatch read(List<ContentHash> hashes, int want, long maxBytes) {
      return empty.read(hashes, want, maxBytes);
    }

    @Override
    public PutOutcome put(
        ContentHash hash, SpaceId space, ByteBuffer content, BooleanSupplier admit) {
      return empty.put(hash, space, content, admit);
    }

    @Override
    public boolean evict(ContentHash hash, SpaceId space) {
      return false;
    }

    @Override
    public boolean evict(long fingerprint, SpaceId space) {
      return false;
    }

    @Override
    public long evict(Set<SpaceId> spaces, IntPredicate slots) {
      return 0;
    }

    @Override
    public long drop(Set<SpaceId> spaces) {
      return 0;
    }

    @Override
    public void list(Set<SpaceId> spaces, Listing listing) {}

    @Override
    public void listen(SpaceId space, LongConsumer read) {}

    @Override
    public void limit(SpaceId space, long bytes) {}

    @Override
    public StoreUsage usage() {
      return empty.usage();
    }

    @Override
    public List<SpaceUsage> spaces() {
      return List.of();
    }

    @Override
    public void close() {
      empty.close();
    }
  }
}
