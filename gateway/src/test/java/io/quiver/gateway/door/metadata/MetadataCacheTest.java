package io.quiver.gateway.door.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.gateway.door.testing.Gate;
import io.quiver.gateway.door.testing.ManualClock;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.gateway.door.testing.WatchedStore;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.file.FileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Details and listings of real files under a clock that the test moves. */
@Timeout(60)
final class MetadataCacheTest {
  private static final Duration WINDOW = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private final ManualClock clock = new ManualClock();
  private WatchedStore store;

  @BeforeEach
  void openStore() throws IOException {
    store = new WatchedStore(FileStore.open(folder));
  }

  private MetadataCache cache(Duration freshness) {
    return new MetadataCache(store, MetadataBounds.STANDARD.withFreshness(freshness), clock);
  }

  private void write(String name, int bytes) throws IOException {
    TestFiles.write(folder, name, new Random(bytes), bytes);
  }

  @Test
  void detailsAreAskedForOnceAWindow() throws IOException {
    write("a", 5);
    MetadataCache cache = cache(WINDOW);
    assertThat(cache.details("a").object().size()).isEqualTo(5);
    write("a", 6);
    clock.pass(WINDOW.minusNanos(1));
    assertThat(cache.details("a").object().size()).isEqualTo(5);
    assertThat(store.details()).isEqualTo(1);
    clock.pass(Duration.ofNanos(1));
    assertThat(cache.details("a").object().size()).isEqualTo(6);
    assertThat(store.details()).isEqualTo(2);
  }

  @Test
  void withoutAWindowEveryQuestionGoesToTheStore() throws IOException {
    write("a", 5);
    MetadataCache cache = cache(Duration.ZERO);
    assertThat(cache.details("a").object().size()).isEqualTo(5);
    write("a", 6);
    assertThat(cache.details("a").object().size()).isEqualTo(6);
    assertThat(cache.page(ListingRequest.folder("")).objects()).hasSize(1);
    write("b", 1);
    assertThat(cache.page(ListingRequest.folder("")).objects()).hasSize(2);
  }

  @Test
  void absenceIsRememberedForTheWindowAndFailuresNever() throws IOException {
    MetadataCache cache = cache(WINDOW);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> cache.details("a")).isInstanceOf(NoSuchFileException.class);
    }
    assertThat(store.details()).isEqualTo(1);
    write("a", 5);
    clock.pass(WINDOW);
    store.beforeDetails((name, position) -> {
      throw new IOException("the store is down");
    });
    assertThatThrownBy(() -> cache.details("a")).hasMessage("the store is down");
    store.beforeDetails((name, position) -> {});
    assertThat(cache.details("a").object().size()).isEqualTo(5);
  }

  @Test
  void aListingTellsSizesVersionsAndTimes() throws IOException {
    write("d/a", 5);
    write("d/b", 6);
    MetadataCache cache = cache(WINDOW);
    ListingPage page = cache.page(ListingRequest.folder("d/"));
    assertThat(cache.stat("d/a")).isEqualTo(page.objects().getFirst());
    assertThat(cache.stat("d/b").size()).isEqualTo(6);
    assertThat(store.details()).isZero();
    assertThat(cache.details("d/b").object().size()).isEqualTo(6);
    assertThat(store.details()).isEqualTo(1);
  }

  @Test
  void forgettingAnObjectForgetsTheListingsThatShowIt() throws IOException {
    write("d/a", 5);
    write("e/a", 5);
    MetadataCache cache = cache(WINDOW);
    List<ListingRequest> showing =
        List.of(
            ListingRequest.folder("d/"),
            ListingRequest.folder(""),
            ListingRequest.all("d"),
            ListingRequest.all("d/a"));
    List<ListingRequest> others = List.of(ListingRequest.folder("e/"), ListingRequest.all("d/b"));
    for (ListingRequest request : showing) {
      cache.page(request);
    }
    for (ListingRequest request : others) {
      cache.page(request);
    }
    Files.delete(folder.resolve("d/a"));
    cache.forget("d/a");
    int before = store.pages();
    for (ListingRequest request : showing) {
      assertThat(cache.page(request).objects())
          .extracting(RemoteObject::name)
          .doesNotContain("d/a");
    }
    assertThat(store.pages()).isEqualTo(before + showing.size());
    for (ListingRequest request : others) {
      cache.page(request);
    }
    assertThat(store.pages()).isEqualTo(before + showing.size());
    assertThatThrownBy(() -> cache.stat("d/a")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void equalQuestionsAtOnceReachTheStoreOnce() throws Exception {
    write("a", 5);
    Gate gate = new Gate();
    store.beforeDetails((name, position) -> gate.pass());
    MetadataCache cache = cache(WINDOW);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> sizes = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        sizes.add(threads.submit(() -> cache.details("a").object().size()));
      }
      gate.awaitVisitor();
      gate.open();
      for (Future<Long> size : sizes) {
        assertThat(size.get()).isEqualTo(5);
      }
    }
    assertThat(store.details()).isEqualTo(1);
  }

  @Test
  void answersOnTheirWayDuringAWriteAreNotKept() throws Exception {
    write("d/a", 5);
    MetadataCache cache = cache(WINDOW);
    Gate gate = new Gate();
    store.beforeDetails((name, position) -> gate.pass());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> listing = threads.submit(() -> cache.page(ListingRequest.folder("d/")));
      Future<?> details = threads.submit(() -> cache.details("d/a"));
      gate.awaitVisitor();
      while (store.details() + store.pages() < 2) {
        Thread.onSpinWait();
      }
      cache.forget("d/a");
      gate.open();
      listing.get();
      details.get();
    }
    store.beforeDetails((name, position) -> {});
    write("d/a", 7);
    assertThat(cache.stat("d/a").size()).isEqualTo(7);
    assertThat(cache.page(ListingRequest.folder("d/")).objects().getFirst().size()).isEqualTo(7);
  }

  @Test
  void memoryIsBounded() throws IOException {
    for (int i = 0; i < 300; i++) {
      write("d/" + i, 1);
    }
    MetadataBounds bounds = new MetadataBounds(WINDOW, 20_000, 10_000);
    MetadataCache cache = new MetadataCache(store, bounds, clock);
    ListingRequest request = new ListingRequest("d/", "/", "", null, 10);
    int listed = 0;
    for (ListingRequest next = request; next != null; ) {
      ListingPage page = cache.page(next);
      listed += page.objects().size();
      next = page.next() == null ? null : request.after(page.next());
      assertThat(cache.listingBytes()).isLessThanOrEqualTo(10_000);
      assertThat(cache.detailsBytes()).isLessThanOrEqualTo(20_000);
    }
    assertThat(listed).isEqualTo(300);
  }
}
