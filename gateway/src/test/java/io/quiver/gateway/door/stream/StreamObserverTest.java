package io.quiver.gateway.door.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.name.BlockNames;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.BlockPlace;
import io.quiver.core.stream.PrefetchAdvice;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.StreamVerdict;
import io.quiver.core.stream.tree.AccessStreams;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.gateway.door.testing.Gate;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteObject;
import io.quiver.testkit.Await;
import io.quiver.testkit.LogCapture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that learns of reads, with the real tree of streams. */
@Timeout(120)
final class StreamObserverTest {
  private static final String STORE = "s3://bucket/data";
  private static final BlockNames NAMES =
      new BlockNames("a key of the namespace".getBytes(StandardCharsets.UTF_8));

  private static StreamObserver observer() {
    return observer(path -> NAMES.ofStream(STORE, path));
  }

  /** Returns an observer whose tree asks for the keys of streams where a plan speaks of some. */
  private static StreamObserver observer(UnaryOperator<String> keys) {
    return new StreamObserver(
        STORE, Optional.empty(), new AccessStreams(StreamRules.STANDARD, keys), System::nanoTime);
  }

  private static StreamVerdict random(String path) {
    return new StreamVerdict(
        NAMES.ofStream(STORE, path), AccessPattern.RANDOM, new SpaceId("the-space"), 1000);
  }

  private static ObjectBlocks object(String name) {
    return ObjectBlocks.of(new RemoteObject(name, 1000, "v1"), 4096, "");
  }

  private static String numbered(String folder, int number) {
    return folder + "/" + String.format(Locale.ROOT, "%06d", number);
  }

  private static void readForward(StreamObserver observer, String folder, int from, int to) {
    for (int i = from; i < to; i++) {
      observer.read(object(numbered(folder, i)), 0, 7, true, 1_000_000);
    }
  }

  @Test
  void recordsThatDoNotFitAreDroppedAndCountedAndNobodyWaits() {
    try (StreamObserver observer = observer()) {
      readForward(observer, "d", 0, 20_000);
      long dropped = observer.counts().dropped();
      assertThat(dropped).isBetween(1L, 19_999L);
      assertThat(observer.counts().records()).isZero();
      observer.start(advice -> Outcome.HELD);
      Await.until("the rest is learned", () -> observer.counts().records() == 20_000 - dropped);
      readForward(observer, "d", 20_000, 20_100);
      Await.until("and what follows", () -> observer.counts().records() == 20_100 - dropped);
      assertThat(observer.counts().dropped()).isEqualTo(dropped);
    }
  }

  @Test
  void listingsThatWaitAreBoundedByTheirNames() {
    List<RemoteObject> names =
        IntStream.range(0, 1000).mapToObj(i -> new RemoteObject("d/" + i, 1, "v")).toList();
    try (StreamObserver observer = observer()) {
      for (int i = 0; i < 1000; i++) {
        ListingRequest page = new ListingRequest("d/", "/", "", "page " + i, 1000);
        observer.listed(page, new ListingPage(names, List.of(), "page " + (i + 1)));
      }
      assertThat(observer.counts().dropped()).isEqualTo(800);
      observer.start(advice -> Outcome.HELD);
      ListingRequest page = new ListingRequest("e/", "/", "", null, 1000);
      ListingPage last = new ListingPage(List.of(new RemoteObject("e/a", 1, "v")), List.of(), null);
      Await.until(
          "there is a place again",
          () -> {
            long before = observer.counts().dropped();
            observer.listed(page, last);
            return observer.counts().dropped() == before;
          });
      assertThat(observer.counts().listingBytes())
          .isLessThanOrEqualTo(StreamRules.STANDARD.mostListingBytes());
    }
  }

  @Test
  void sequentialReadsAreReadAhead() {
    ConcurrentLinkedQueue<PrefetchAdvice> taken = new ConcurrentLinkedQueue<>();
    try (StreamObserver observer = observer()) {
      observer.start(advice -> {
        taken.add(advice);
        return Outcome.FETCHED;
      });
      readForward(observer, "d", 0, 200);
      Await.until(
          "what comes next is advised",
          () -> taken.stream().anyMatch(each -> each.path().equals(numbered("d", 200))));
      readForward(observer, "d", 200, 201);
      Await.until("its use is counted", () -> observer.counts().prefetch().used() > 0);
      assertThat(observer.counts().prefetch().begun()).isGreaterThanOrEqualTo(1);
    }
  }

  @Test
  void adviceThatCannotBeFollowedEndsNeitherTheThreadNorTheLog() {
    try (LogCapture log = LogCapture.warnings(StreamObserver.class);
        StreamObserver observer = observer()) {
      observer.start(advice -> {
        throw new IllegalStateException("no way");
      });
      readForward(observer, "d", 0, 2000);
      Await.until("an advice has failed", () -> observer.counts().failures() > 0);
      readForward(observer, "d", 2000, 4000);
      Await.until("records are learned", () -> observer.counts().records() == 4000);
      long failures = observer.counts().failures();
      assertThat(log.messages()).hasSizeBetween(1, 1 + (63 - Long.numberOfLeadingZeros(failures)));
    }
  }

  @Test
  void aSlowAdviceTakerKeepsNobodyFromReadingOrAskingForPlaces() throws IOException {
    Gate gate = new Gate();
    try (StreamObserver observer = observer()) {
      observer.start(advice -> {
        try {
          gate.pass();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
        return Outcome.HELD;
      });
      readForward(observer, "d", 0, 300);
      gate.awaitVisitor();
      readForward(observer, "d", 300, 20_000);
      assertThat(observer.counts().dropped()).isPositive();
      assertThat(observer.of(object("d/000001"))).isNotNull();
      assertThat(observer.summaries()).isNotEmpty();
      gate.open();
    }
  }

  @Test
  void anAnalysisThatIsStuckKeepsNobodyWaiting() throws Exception {
    Gate gate = new Gate();
    try (StreamObserver observer =
        observer(path -> {
          try {
            gate.pass();
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          return NAMES.ofStream(STORE, path);
        })) {
      observer.follow(List.of(random("d")), List.of());
      observer.start(advice -> Outcome.HELD);
      readForward(observer, "d", 0, 300);
      gate.awaitVisitor();
      readForward(observer, "d", 300, 20_000);
      assertThat(observer.counts().dropped()).isPositive();
      assertThat(observer.of(object("d/000001"))).isEqualTo(BlockPlace.SHARED);
      assertThat(observer.summaries()).as("the heartbeat goes on without them").isEmpty();
      observer.follow(List.of(random("d")), List.of());
      gate.open();
      Await.until(
          "the plan is followed", () -> observer.of(object("d/000001")) instanceof BlockPlace.Own);
    }
  }

  @Test
  void anAnalysisThatFailsFailsNoReadAndGoesOn() {
    AtomicBoolean broken = new AtomicBoolean(true);
    try (LogCapture log = LogCapture.warnings(StreamObserver.class);
        StreamObserver observer =
            observer(path -> {
              if (broken.get()) {
                throw new IllegalStateException("a defect");
              }
              return NAMES.ofStream(STORE, path);
            })) {
      observer.follow(List.of(), List.of());
      observer.start(advice -> Outcome.HELD);
      readForward(observer, "d", 0, 300);
      Await.until("all is learned", () -> observer.counts().records() == 300);
      observer.follow(List.of(random("d")), List.of());
      assertThat(observer.counts().failures()).isPositive();
      readForward(observer, "d", 300, 600);
      Await.until("reads are taken", () -> observer.counts().records() == 600);
      assertThat(observer.of(object("d/000001"))).isEqualTo(BlockPlace.NOWHERE);
      broken.set(false);
      observer.follow(List.of(random("d")), List.of());
      assertThat(observer.of(object("d/000001"))).isInstanceOf(BlockPlace.Own.class);
      assertThat(log.messages()).hasSizeLessThan(12);
    }
  }

  @Test
  void verdictsSayWhereBlocksGo() {
    try (StreamObserver observer = observer()) {
      observer.start(advice -> Outcome.HELD);
      readForward(observer, "d", 0, 300);
      Await.until("all is learned", () -> observer.counts().records() == 300);
      assertThat(observer.of(object("d/000001"))).as("before a plan").isEqualTo(BlockPlace.NOWHERE);
      assertThat(observer.of(object("e/000001"))).isEqualTo(BlockPlace.SHARED);
      SpaceId space = new SpaceId("the-space");
      String key = NAMES.ofStream(STORE, "d");
      observer.follow(
          List.of(new StreamVerdict(key, AccessPattern.RANDOM, space, 1000)), List.of());
      assertThat(observer.of(object("d/000001"))).isEqualTo(new BlockPlace.Own(space));
      observer.follow(
          List.of(new StreamVerdict(key, AccessPattern.SEQUENTIAL, null, 0)), List.of());
      assertThat(observer.of(object("d/000001"))).isEqualTo(BlockPlace.NOWHERE);
    }
  }

  @Test
  void pathsOfFourThousandLettersAndControlLettersHaveLabels() {
    String deep = "a\nb/" + "ä".repeat(4000);
    try (StreamObserver observer = observer()) {
      observer.start(advice -> Outcome.HELD);
      readForward(observer, deep, 0, 400);
      Await.until("all is learned", () -> observer.counts().records() == 400);
      List<StreamSummary> summaries = observer.summaries();
      assertThat(summaries).isNotEmpty();
      assertThat(summaries)
          .allSatisfy(each ->
              assertThat(each.label())
                  .startsWith(STORE)
                  .hasSizeLessThanOrEqualTo(4096)
                  .doesNotContain("\n"));
    }
  }

  @Test
  void aFloodOfDistinctFoldersTakesBoundedMemory() {
    try (StreamObserver observer = observer()) {
      observer.start(advice -> Outcome.HELD);
      for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 1000; i++) {
          observer.read(object("flood/" + round + "/" + i + "/x/y/z"), 0, i, true, 1000);
        }
        int done = (round + 1) * 1000;
        Await.until(
            "the round is learned",
            () -> observer.counts().records() + observer.counts().dropped() == done);
      }
      assertThat(observer.counts().nodes()).isLessThanOrEqualTo(StreamRules.STANDARD.mostNodes());
      assertThat(observer.counts().treeBytes()).isLessThanOrEqualTo(8L << 20);
      assertThat(observer.summaries()).hasSizeLessThanOrEqualTo(64);
    }
  }

  @Test
  void aClosedObserverLearnsNothingMore() {
    AtomicInteger taken = new AtomicInteger();
    StreamObserver observer = observer();
    observer.start(advice -> {
      taken.incrementAndGet();
      return Outcome.HELD;
    });
    readForward(observer, "d", 0, 100);
    Await.until("all is learned", () -> observer.counts().records() == 100);
    observer.close();
    observer.close();
    int before = taken.get();
    readForward(observer, "d", 100, 200);
    assertThat(observer.counts().dropped()).isEqualTo(100);
    assertThat(observer.counts().records()).isEqualTo(100);
    assertThat(taken).hasValue(before);
    observer().close();
  }
}
