package io.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the contract of names in every blob store; a test only supplies the instance. */
public abstract class NameStoreContract {
  private static final SpaceId A = new SpaceId("a");
  private static final SpaceId B = new SpaceId("b");

  @TempDir Path directory;
  private BlobStore store;

  /** Returns a store of this capacity. */
  protected abstract BlobStore open(Path directory, long capacityBytes) throws Exception;

  /** Returns the binding of a numbered name to a blob that follows from another number. */
  public static NameBinding binding(int name, int blob) {
    byte[] key = new byte[ContentHash.BYTES];
    new Random(name * 0x9E3779B97F4A7C15L).nextBytes(key);
    ContentHash hash = ContentHash.ofContent(new byte[] {(byte) blob, (byte) (blob >> 8)});
    return new NameBinding(new BlockName(ContentHash.of(key)), hash, 2L << (blob % 60));
  }

  @BeforeEach
  void openStore() throws Exception {
    store = open(directory, 16 << 20);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void resolvesWhatWasBoundInTheOrderAsked() {
    List<NameBinding> bindings = bindMany(A, 0, 300);
    List<BlockName> asked = new ArrayList<>();
    List<Optional<NameBinding>> expected = new ArrayList<>();
    for (int i = 299; i >= 0; i--) {
      asked.add(bindings.get(i).name());
      expected.add(Optional.of(bindings.get(i)));
      asked.add(binding(1000 + i, 0).name());
      expected.add(Optional.empty());
      asked.add(bindings.get(i).name());
      expected.add(Optional.of(bindings.get(i)));
    }
    assertThat(store.resolve(asked)).isEqualTo(expected);
    assertThat(store.resolve(List.of())).isEmpty();
    assertThat(store.usage().names()).isEqualTo(300);
    assertThat(store.usage().blobs()).isZero();
  }

  @Test
  void theLastBindingCountsInWhateverSpace() {
    assertThat(store.bind(binding(1, 1), A)).isEqualTo(PutOutcome.STORED);
    assertThat(store.bind(binding(1, 1), A)).isEqualTo(PutOutcome.ALREADY_HERE);
    assertThat(store.bind(binding(1, 2), A)).isEqualTo(PutOutcome.STORED);
    assertThat(resolve(1)).contains(binding(1, 2));
    assertThat(store.bind(binding(1, 3), B)).isEqualTo(PutOutcome.STORED);
    assertThat(resolve(1)).contains(binding(1, 3));
    assertThat(store.usage().names()).isEqualTo(1);
    assertThat(charged(A)).isZero();
    assertThat(charged(B)).isEqualTo(BlobStore.NAME_BYTES);
    store.drop(A);
    assertThat(resolve(1)).contains(binding(1, 3));
  }

  @Test
  void aNameOfTwoSpacesLivesUntilTheLastOfThemGoes() {
    assertThat(store.bind(binding(1, 1), A)).isEqualTo(PutOutcome.STORED);
    assertThat(store.bind(binding(1, 1), B)).isEqualTo(PutOutcome.ALREADY_HERE);
    store.drop(A);
    assertThat(resolve(1)).contains(binding(1, 1));
    assertThat(store.evict(binding(1, 1).name().key().fingerprint(), B)).isTrue();
    assertThat(resolve(1)).isEmpty();
    assertThat(store.usage().liveBytes()).isZero();
  }

  @Test
  void rebindingUnbindsTheNameInAllItsSpaces() {
    store.bind(binding(1, 1), A);
    store.bind(binding(1, 1), B);
    store.bind(binding(1, 2), B);
    assertThat(charged(A)).isZero();
    store.drop(B);
    assertThat(resolve(1)).isEmpty();
  }

  @Test
  void namesGoWithTheirSpace() {
    bindMany(A, 0, 50);
    List<NameBinding> others = bindMany(B, 100, 50);
    store.drop(A);
    assertThat(store.usage().names()).isEqualTo(50);
    assertThat(store.resolve(others.stream().map(NameBinding::name).toList()))
        .isEqualTo(others.stream().map(Optional::of).toList());
    assertThat(resolve(7)).isEmpty();
    assertThat(store.bind(binding(7, 7), A)).isEqualTo(PutOutcome.STORED);
  }

  @Test
  void aNameIsNoBlobAndABlobIsNoName() {
    NameBinding binding = binding(1, 1);
    ContentHash key = binding.name().key();
    store.bind(binding, A);
    assertThat(store.contains(List.of(key))).containsExactly(false);
    try (BlobBatch batch = store.read(List.of(key), 1, Long.MAX_VALUE)) {
      assertThat(batch.status(0)).isEqualTo(BlobStatus.MISS);
    }
    try (BlobBatch batch = store.readChecked(List.of(key), 1, Long.MAX_VALUE)) {
      assertThat(batch.status(0)).isEqualTo(BlobStatus.MISS);
    }
    assertThat(resolve(1)).contains(binding);
    assertThat(store.usage().activity().corruptBlobs()).isZero();
    Blob blob = Blob.numbered(1, 40);
    store.put(blob.hash(), A, blob.buffer());
    assertThat(store.resolve(List.of(new BlockName(blob.hash()))))
        .containsExactly(Optional.empty());
  }

  @Test
  void aBlobTakesThePlaceOfANameThatIsSpelledAlike() {
    Blob blob = Blob.numbered(1, 1000);
    NameBinding squatter = new NameBinding(new BlockName(blob.hash()), binding(0, 0).hash(), 9);
    assertThat(store.bind(squatter, A)).isEqualTo(PutOutcome.STORED);
    assertThat(store.bind(squatter, B)).isEqualTo(PutOutcome.ALREADY_HERE);
    assertThat(store.put(blob.hash(), B, blob.buffer())).isEqualTo(PutOutcome.STORED);
    assertThat(store.contains(List.of(blob.hash()))).containsExactly(true);
    assertThat(store.resolve(List.of(squatter.name()))).containsExactly(Optional.empty());
    assertThat(store.usage().names()).isZero();
    assertThat(charged(A)).isZero();
    assertThat(store.bind(squatter, A)).isEqualTo(PutOutcome.NO_ROOM);
    assertThat(store.contains(List.of(blob.hash()))).containsExactly(true);
  }

  @Test
  void whoeverAdmitsIsAskedOnceAndCanRefuse() {
    int[] asked = {0};
    PutOutcome outcome =
        store.bind(
            binding(1, 1),
            A,
            () -> {
              asked[0]++;
              return false;
            });
    assertThat(outcome).isEqualTo(PutOutcome.NO_ROOM);
    assertThat(asked[0]).isEqualTo(1);
    assertThat(resolve(1)).isEmpty();
  }

  @Test
  void namesAreChargedToTheQuotaAndToTheCapacity() {
    store.limit(A, 10 * BlobStore.NAME_BYTES);
    List<PutOutcome> outcomes =
        IntStream.range(0, 12).mapToObj(i -> store.bind(binding(i, i), A)).toList();
    assertThat(outcomes.subList(0, 10)).containsOnly(PutOutcome.STORED);
    assertThat(outcomes.subList(10, 12)).containsOnly(PutOutcome.NO_ROOM);
    Blob blob = Blob.numbered(1, 1 << 20);
    for (int i = 1; store.put(blob.hash(), B, blob.buffer()) == PutOutcome.STORED; i++) {
      blob = Blob.numbered(i + 1, 1 << 20);
    }
    int bound = 20;
    while (store.bind(binding(bound, bound), B) == PutOutcome.STORED) {
      bound++;
    }
    assertThat(bound * BlobStore.NAME_BYTES).isLessThan(2 << 20);
    assertThat(store.usage().usedBytes()).isLessThanOrEqualTo(store.usage().capacityBytes());
    assertThat(resolve(19 + 1)).contains(binding(20, 20));
  }

  @Test
  void namesAreListedAndLeaveWithTheirSlotsAsBlobsDo() {
    List<NameBinding> bindings = bindMany(A, 0, 200);
    List<Long> listed = new ArrayList<>();
    store.list(
        Set.of(A),
        (space, key, bytes) -> {
          assertThat(bytes).isEqualTo(BlobStore.NAME_BYTES);
          listed.add(key);
        });
    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            bindings.stream().map(each -> each.name().key().fingerprint()).toList());
    long odd = bindings.stream().filter(each -> each.name().slot() % 2 == 1).count();
    assertThat(store.evict(Set.of(A), slot -> slot % 2 == 1)).isEqualTo(odd).isPositive();
    for (NameBinding binding : bindings) {
      assertThat(store.resolve(List.of(binding.name())).getFirst().isPresent())
          .isEqualTo(binding.name().slot() % 2 == 0);
    }
  }

  @Test
  void listenersHearOfNamesThatAreResolved() {
    List<Long> heard = new ArrayList<>();
    bindMany(A, 0, 3);
    store.bind(binding(2, 2), B);
    store.listen(A, heard::add);
    store.resolve(List.of(binding(0, 0).name(), binding(2, 2).name(), binding(9, 9).name()));
    assertThat(heard)
        .containsExactlyInAnyOrder(
            binding(0, 0).name().key().fingerprint(), binding(2, 2).name().key().fingerprint());
  }

  @Test
  void longestLengthsAndBlobsOfNoBytesAreKept() {
    ContentHash empty = ContentHash.ofContent(ByteBuffer.allocate(0));
    NameBinding nothing = new NameBinding(binding(1, 1).name(), empty, 0);
    NameBinding longest = new NameBinding(binding(2, 2).name(), empty, Long.MAX_VALUE);
    store.bind(nothing, A);
    store.bind(longest, A);
    assertThat(store.resolve(List.of(nothing.name(), longest.name())))
        .containsExactly(Optional.of(nothing), Optional.of(longest));
  }

  private List<NameBinding> bindMany(SpaceId space, int first, int count) {
    List<NameBinding> bindings = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      bindings.add(binding(i, i));
      assertThat(store.bind(bindings.getLast(), space)).isEqualTo(PutOutcome.STORED);
    }
    return bindings;
  }

  private Optional<NameBinding> resolve(int name) {
    return store.resolve(List.of(binding(name, 0).name())).getFirst();
  }

  private long charged(SpaceId space) {
    return store.spaces().stream()
        .filter(usage -> usage.space().equals(space))
        .mapToLong(SpaceUsage::chargedBytes)
        .sum();
  }
}
