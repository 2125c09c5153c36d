package io.quiver.store.ssd;

import static io.quiver.store.NameStoreContract.binding;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import io.quiver.store.StoreUsage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random puts, bindings, reads, evictions, drops, limits and restarts against a model that only
 * knows who owns what. The model allows refusals for lack of room; everything else must agree.
 */
final class RandomizedModelTest {
  private static final boolean LONG = Boolean.getBoolean("quiver.test.long");
  private static final int BLOBS = 400;
  private static final int NAMES = 100;

  @TempDir Path directory;
  @TempDir Path second;

  /** The owners of each blob and of the key of each name. */
  private final Map<ContentHash, Set<SpaceId>> model = new HashMap<>();

  private final Map<BlockName, NameBinding> bound = new HashMap<>();
  private final List<Blob> blobs = new ArrayList<>();
  private SsdBlobStore store;

  @BeforeEach
  void open() {
    store = smallStore(directory);
  }

  @Test
  void agreesWithTheModel() {
    run(Long.getLong("quiver.test.seed", 7), LONG ? 200_000 : 6_000, directory);
  }

  @Test
  void agreesWithTheModelOnTwoDisks() {
    run(Long.getLong("quiver.test.seed", 8), LONG ? 100_000 : 3_000, directory, second);
  }

  private void run(long seed, int steps, Path... directories) {
    Random random = new Random(seed);
    for (int i = 0; i < BLOBS; i++) {
      int length = random.nextInt(10) == 0 ? random.nextInt(200_000) : random.nextInt(30_000);
      blobs.add(Blob.random(random, length));
    }
    store.close();
    store = smallStore(directories);
    int step = 0;
    try {
      for (; step < steps; step++) {
        step(random, directories);
      }
      checkAll(directories);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed + ", step " + step, e);
    } finally {
      store.close();
    }
  }

  // So small that it is full most of the time and has to collect garbage.
  private static SsdBlobStore smallStore(Path... directories) {
    try {
      return SsdBlobStore.open(
          new SsdStoreConfig(
              List.of(directories), 4 << 20, StoreFixture.MAX_BLOB, 128 << 10, 4, 1 << 20),
          RecoveryProgress.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void step(Random random, Path... directories) {
    Blob blob = blobs.get(random.nextInt(BLOBS));
    SpaceId space = new SpaceId("space-" + random.nextInt(4));
    int dice = random.nextInt(1000);
    if (dice < 350) {
      put(space, blob);
    } else if (dice < 450) {
      bind(space, binding(random.nextInt(NAMES), random.nextInt(3)));
    } else if (dice < 500) {
      BlockName name = binding(random.nextInt(NAMES), 0).name();
      boolean owned = model.getOrDefault(name.key(), Set.of()).contains(space);
      assertThat(store.evict(name.key().fingerprint(), space)).isEqualTo(owned);
      disown(name.key(), space);
    } else if (dice < 550) {
      resolveSome(random);
    } else if (dice < 750) {
      boolean owned = model.getOrDefault(blob.hash(), Set.of()).contains(space);
      assertThat(store.evict(blob.hash(), space)).isEqualTo(owned);
      disown(blob.hash(), space);
    } else if (dice < 985) {
      readSome(random);
    } else if (dice < 990) {
      store.drop(space);
      List.copyOf(model.keySet()).forEach(hash -> disown(hash, space));
    } else if (dice < 995) {
      store.limit(space, random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(2 << 20));
    } else {
      checkAll(directories);
      store.close();
      store = smallStore(directories);
      checkAll(directories);
    }
  }

  private void put(SpaceId space, Blob blob) {
    PutOutcome outcome = StoreFixture.put(store, space, blob);
    boolean here = model.containsKey(blob.hash());
    if (outcome == PutOutcome.NO_ROOM) {
      return;
    }
    assertThat(outcome).isEqualTo(here ? PutOutcome.ALREADY_HERE : PutOutcome.STORED);
    model.computeIfAbsent(blob.hash(), any -> new TreeSet<>()).add(space);
  }

  private void bind(SpaceId space, NameBinding binding) {
    ContentHash key = binding.name().key();
    boolean same = binding.equals(bound.get(binding.name()));
    PutOutcome outcome = store.bind(binding, space);
    if (!same) {
      // The old target of the name is wrong now, also where there is no room for the new binding.
      model.remove(key);
      bound.remove(binding.name());
    }
    if (outcome == PutOutcome.NO_ROOM) {
      return;
    }
    assertThat(outcome).isEqualTo(same ? PutOutcome.ALREADY_HERE : PutOutcome.STORED);
    model.computeIfAbsent(key, any -> new TreeSet<>()).add(space);
    bound.put(binding.name(), binding);
  }

  private void resolveSome(Random random) {
    List<BlockName> names = new ArrayList<>();
    List<Optional<NameBinding>> expected = new ArrayList<>();
    for (int i = random.nextInt(20); i >= 0; i--) {
      names.add(binding(random.nextInt(NAMES), 0).name());
      expected.add(Optional.ofNullable(bound.get(names.getLast())));
    }
    assertThat(store.resolve(names)).isEqualTo(expected);
  }

  private void disown(ContentHash hash, SpaceId space) {
    Set<SpaceId> owners = model.get(hash);
    if (owners != null && owners.remove(space) && owners.isEmpty()) {
      model.remove(hash);
      bound.remove(new BlockName(hash));
    }
  }

  private void readSome(Random random) {
    List<Blob> asked = new ArrayList<>();
    for (int i = random.nextInt(20); i >= 0; i--) {
      asked.add(blobs.get(random.nextInt(BLOBS)));
    }
    int want = 1 + random.nextInt(asked.size());
    long maxBytes = random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(200_000);
    List<ContentHash> hashes = asked.stream().map(Blob::hash).toList();
    try (BlobBatch batch = store.read(hashes, want, maxBytes)) {
      check(batch, asked, want, maxBytes);
    }
  }

  private void check(BlobBatch batch, List<Blob> asked, int want, long maxBytes) {
    int hits = 0;
    long bytes = 0;
    boolean full = false;
    for (int i = 0; i < asked.size(); i++) {
      Blob blob = asked.get(i);
      boolean here = model.containsKey(blob.hash());
      boolean enough = hits == want;
      full |= !enough && here && hits > 0 && bytes + blob.content().length > maxBytes;
      BlobStatus expected =
          full
              ? BlobStatus.DEFERRED
              : enough ? BlobStatus.SKIPPED : here ? BlobStatus.HIT : BlobStatus.MISS;
      assertThat(batch.status(i)).as("place %d of %d", i, asked.size()).isEqualTo(expected);
      if (expected == BlobStatus.HIT) {
        assertThat(Blob.bytes(batch.bytes(i))).isEqualTo(blob.content());
        hits++;
        bytes += blob.content().length;
      }
    }
    assertThat(batch.hits()).isEqualTo(hits);
    assertThat(batch.hitBytes()).isEqualTo(bytes);
  }

  private void checkAll(Path... directories) {
    StoreUsage usage = store.usage();
    assertThat(usage.blobs()).isEqualTo(model.size() - bound.size());
    assertThat(usage.names()).isEqualTo(bound.size());
    for (int i = 0; i < NAMES; i++) {
      BlockName name = binding(i, 0).name();
      assertThat(store.resolve(List.of(name)))
          .containsExactly(Optional.ofNullable(bound.get(name)));
    }
    assertThat(usage.usedBytes()).isLessThanOrEqualTo(usage.capacityBytes());
    assertThat(usage.activity().corruptBlobs()).isZero();
    assertThat(usage.activity().failures()).isZero();
    for (Path path : directories) {
      assertThat(StoreFixture.fileBytes(path)).isLessThanOrEqualTo(usage.usedBytes());
    }
    for (Blob blob : blobs) {
      assertThat(StoreFixture.hasRight(store, blob)).isEqualTo(model.containsKey(blob.hash()));
    }
    long charged = 0;
    for (SpaceUsage space : store.spaces()) {
      long owned = model.values().stream().filter(o -> o.contains(space.space())).count();
      assertThat(space.blobs()).as("blobs of %s", space.space()).isEqualTo(owned);
      charged += space.chargedBytes();
    }
    assertThat(charged).as("what spaces are charged for").isEqualTo(usage.liveBytes());
  }
}
