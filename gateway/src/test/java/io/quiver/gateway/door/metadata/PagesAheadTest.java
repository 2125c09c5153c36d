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
import io.quiver.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings of real files that are read page after page. */
@Timeout(60)
final class PagesAheadTest {
  private static final Duration WINDOW = Duration.ofSeconds(5);
  private static final int PAGE = 10;
  private static final int SHORT_PAGE = 5;
  private static final int FILES = 45;
  private static final ListingRequest FIRST = new ListingRequest("", "", "", null, PAGE);

  @TempDir private Path folder;
  private final ManualClock clock = new ManualClock();
  private WatchedStore store;
  private MetadataCache cache;

  @BeforeEach
  void writeFiles() throws IOException {
    for (int i = 0; i < FILES; i++) {
      TestFiles.write(folder, name(i), new Random(i), 3);
    }
    store = new WatchedStore(FileStore.open(folder));
    cache = new MetadataCache(store, MetadataBounds.STANDARD.withFreshness(WINDOW), clock);
  }

  private static String name(int number) {
    return "f%03d".formatted(number);
  }

  private static ListingRequest next(ListingRequest request, ListingPage page, boolean byName) {
    return byName
        ? new ListingRequest("", "", page.objects().getLast().name(), null, request.maxEntries())
        : request.after(page.next());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theThirdPageIsThereBeforeItsReaderAsks(boolean byName) throws Exception {
    ListingPage page = cache.page(FIRST);
    ListingRequest second = next(FIRST, page, byName);
    assertThat(store.pages()).isEqualTo(1);
    CountDownLatch asked = new CountDownLatch(2);
    store.beforeDetails((prefix, position) -> asked.countDown());
    page = cache.page(second);
    assertThat(asked.await(40, TimeUnit.SECONDS)).isTrue();
    // Nothing more comes from the store: whoever asks now joins that question or has its answer.
    store.beforeDetails((prefix, position) -> {
      throw new IOException("asked once more");
    });
    page = cache.page(next(second, page, byName));
    assertThat(page.objects()).extracting(RemoteObject::name).startsWith(name(2 * PAGE));
    assertThat(store.pages()).isLessThanOrEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void threePagesWaitForAReaderWhoPauses(boolean byName) throws Exception {
    ListingRequest request = new ListingRequest("", "", "", null, SHORT_PAGE);
    ListingPage page = cache.page(request);
    for (int taken = 2; taken <= 4; taken++) {
      request = next(request, page, byName);
      page = cache.page(request);
    }
    Await.until("three more pages were asked for", () -> store.pages() == 7);
    store.beforeDetails((prefix, position) -> {
      throw new IOException("asked for more");
    });
    List<String> names = new ArrayList<>();
    for (int taken = 5; taken <= 7; taken++) {
      request = next(request, page, byName);
      page = cache.page(request);
      page.objects().forEach(object -> names.add(object.name()));
    }
    assertThat(names).hasSize(3 * SHORT_PAGE).startsWith(name(4 * SHORT_PAGE)).isSorted();
  }

  @Test
  void aPauseOfSomeOfTheWindowLeavesFewerPagesAhead() throws Exception {
    ListingRequest request = new ListingRequest("", "", "", null, SHORT_PAGE);
    ListingPage page = cache.page(request);
    for (int taken = 2; taken <= 4; taken++) {
      clock.pass(WINDOW.dividedBy(2).plusMillis(1));
      request = request.after(page.next());
      page = cache.page(request);
      int upTo = taken + 1;
      Await.until("the next page was asked for", () -> store.pages() >= upTo);
      assertThat(store.pages()).isEqualTo(upTo);
    }
  }

  @Test
  void pagesThatDoNotFitAreAskedForOneByOne() throws Exception {
    cache = new MetadataCache(store, new MetadataBounds(WINDOW, 0, 0), clock);
    ListingRequest request = new ListingRequest("", "", "", null, SHORT_PAGE);
    List<String> names = new ArrayList<>();
    for (ListingPage page = cache.page(request); ; page = cache.page(request)) {
      page.objects().forEach(object -> names.add(object.name()));
      if (page.next() == null) {
        break;
      }
      request = request.after(page.next());
    }
    assertThat(names).hasSize(FILES).isSorted().doesNotHaveDuplicates();
    assertThat(store.pages()).isLessThanOrEqualTo(2 * FILES / SHORT_PAGE);
  }

  @Test
  void aReaderWhoIsFasterThanTheStoreAsksForEachPageOnce() throws IOException {
    List<String> names = new ArrayList<>();
    ListingRequest request = FIRST;
    while (true) {
      ListingPage page = cache.page(request);
      page.objects().forEach(object -> names.add(object.name()));
      if (page.next() == null) {
        break;
      }
      request = request.after(page.next());
    }
    assertThat(names).hasSize(FILES).isSorted().doesNotHaveDuplicates();
    assertThat(store.pages()).isEqualTo((FILES + PAGE - 1) / PAGE);
  }

  @Test
  void aReaderWhoIsSlowerThanTheWindowIsNotReadAheadOf() throws IOException {
    ListingRequest request = FIRST;
    for (int pages = 1; ; pages++) {
      ListingPage page = cache.page(request);
      assertThat(store.pages()).isEqualTo(pages);
      if (page.next() == null) {
        break;
      }
      request = request.after(page.next());
      clock.pass(WINDOW);
    }
  }

  @Test
  void aPageThatCouldNotBeReadAheadIsAskedForAgain() throws Exception {
    ListingPage page = cache.page(FIRST);
    ListingRequest second = FIRST.after(page.next());
    AtomicBoolean down = new AtomicBoolean();
    Gate failing = new Gate();
    store.beforeDetails((prefix, position) -> {
      if (down.getAndSet(true)) {
        failing.pass();
        throw new IOException("the store is down");
      }
    });
    page = cache.page(second);
    ListingRequest third = second.after(page.next());
    failing.awaitVisitor();
    failing.open();
    // This one joins the failing question or asks one of its own, which fails as well.
    assertThatThrownBy(() -> cache.page(third)).hasMessageContaining("the store is down");
    store.beforeDetails((prefix, position) -> {});
    assertThat(cache.page(third).objects()).hasSize(PAGE);
  }

  @Test
  void aWriteOutdatesThePageThatIsReadAhead() throws Exception {
    ListingPage page = cache.page(FIRST);
    ListingRequest second = next(FIRST, page, true);
    AtomicBoolean ahead = new AtomicBoolean();
    Gate late = new Gate();
    store.beforeDetails((prefix, position) -> {
      if (ahead.getAndSet(true)) {
        late.pass();
      }
    });
    page = cache.page(second);
    late.awaitVisitor();
    TestFiles.write(folder, name(2 * PAGE), new Random(1), 7);
    cache.forget(name(2 * PAGE));
    store.beforeDetails((prefix, position) -> {});
    assertThat(cache.page(next(second, page, true)).objects().getFirst())
        .extracting(RemoteObject::name, RemoteObject::size)
        .containsExactly(name(2 * PAGE), 7L);
    late.open();
  }
}
