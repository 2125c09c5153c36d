package io.quiver.gateway.door.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.name.BlockNames;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.BlockPlace;
import io.quiver.core.stream.PrefetchAdvice.Outcome;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamSummary;
import io.quiver.core.stream.tree.AccessStreams;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteObject;
import io.quiver.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recognition in a door stays bounded and of use, whatever programs and clocks do. */
@Timeout(120)
final class HostileStreamsTest {
  private static final String STORE = "s3://bucket";
  private static final int MILLION = 1_000_000;
  private static final int PAGE = 1000;
  private static final BlockNames NAMES =
      new BlockNames("a key of the namespace".getBytes(StandardCharsets.UTF_8));

  private final AtomicLong clock = new AtomicLong();

  private StreamObserver observer() {
    StreamObserver observer =
        new StreamObserver(
            STORE,
            Optional.empty(),
            new AccessStreams(StreamRules.STANDARD, path -> NAMES.ofStream(STORE, path)),
            () -> clock.addAndGet(5_000_000));
    observer.start(advice -> Outcome.HELD);
    return observer;
  }

  private static RemoteObject object(String name) {
    return new RemoteObject(name, 1000, "v");
  }

  private static void read(StreamObserver observer, String name) {
    observer.read(ObjectBlocks.of(object(name), 4096, ""), 0, 7, true, 1_000_000);
  }

  private static void awaitRecords(StreamObserver observer, long records) {
    Await.until(
        "all is learned",
        () -> observer.counts().records() + observer.counts().dropped() == records);
  }

  private static StreamSummary stream(StreamObserver observer, String label) {
    return observer.summaries().stream()
        .filter(each -> each.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  private static String name(int number) {
    return "d/" + String.format(Locale.ROOT, "%07d", number);
  }

  @Test
  void aDirectoryOfAMillionEntriesIsLearnedInBoundedMemory() {
    try (StreamObserver observer = observer()) {
      for (int page = 0; page < MILLION / PAGE; page++) {
        int from = page * PAGE;
        List<RemoteObject> objects =
            IntStream.range(from, from + PAGE).mapToObj(i -> object(name(i))).toList();
        boolean last = from + PAGE == MILLION;
        ListingRequest request =
            new ListingRequest("d/", "/", "", page == 0 ? null : "page " + page, PAGE);
        long dropped = observer.counts().dropped();
        observer.listed(
            request, new ListingPage(objects, List.of(), last ? null : "page " + (page + 1)));
        while (observer.counts().dropped() > dropped) {
          // The queue was full: a program that lists as fast as this test does not exist.
          dropped = observer.counts().dropped();
          Thread.onSpinWait();
          observer.listed(
              request, new ListingPage(objects, List.of(), last ? null : "page " + (page + 1)));
        }
      }
      Random random = new Random(1);
      long dropped = observer.counts().dropped();
      for (int i = 0; i < 300; i++) {
        read(observer, name(random.nextInt(MILLION)));
      }
      Await.until("all is learned", () -> observer.counts().records() == 300);
      assertThat(observer.counts().dropped()).isEqualTo(dropped);
      StreamSummary stream = stream(observer, STORE + "/d");
      assertThat(stream.items()).isEqualTo(MILLION);
      assertThat(stream.recognition().pattern()).isEqualTo(AccessPattern.RANDOM);
      assertThat(observer.counts().listingBytes())
          .isBetween(1L, StreamRules.STANDARD.mostListingBytes());
      assertThat(observer.counts().treeBytes()).isLessThanOrEqualTo(8L << 20);
    }
  }

  @Test
  void pathsOfFourThousandLettersAreRecognisedAsAnyOther() {
    String deep = "d/" + "x".repeat(4000);
    try (StreamObserver observer = observer()) {
      for (int i = 0; i < 300; i++) {
        read(observer, deep + "/" + String.format(Locale.ROOT, "%05d", i));
      }
      awaitRecords(observer, 300);
      RemoteObject next = object(deep + "/00301");
      assertThat(observer.of(ObjectBlocks.of(next, 4096, ""))).isEqualTo(BlockPlace.NOWHERE);
    }
  }

  @Test
  void namesThatAreNoIndexAreRecognisedOnceTheyAreReadAgain() {
    Random random = new Random(2);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      names.add("d/" + Long.toString(random.nextLong(), 36) + ".bin");
    }
    try (StreamObserver observer = observer()) {
      // Popular items, whatever they are called.
      for (int i = 0; i < 2000; i++) {
        read(observer, names.get((int) (400 * Math.pow(random.nextDouble(), 4))));
      }
      awaitRecords(observer, 2000);
      assertThat(stream(observer, STORE + "/d").recognition().pattern())
          .isEqualTo(AccessPattern.SKEWED);
    }
  }

  @Test
  void clocksThatJumpChangeNothing() {
    Random random = new Random(3);
    try (StreamObserver observer = observer()) {
      for (int i = 0; i < 300; i++) {
        if (i % 50 == 25) {
          clock.set(i % 100 == 25 ? Long.MIN_VALUE + i : Long.MAX_VALUE - 1_000_000_000_000L);
        }
        read(observer, name(i));
        if (random.nextInt(10) == 0) {
          assertThat(observer.summaries())
              .allSatisfy(each -> {
                assertThat(each.idleSeconds()).isNotNegative();
                assertThat(each.readsPerSecond()).isFinite().isNotNegative();
              });
        }
      }
      awaitRecords(observer, 300);
      assertThat(observer.counts().failures()).isZero();
      assertThat(stream(observer, STORE + "/d").recognition().pattern())
          .isEqualTo(AccessPattern.SEQUENTIAL);
    }
  }

  @Test
  void aFloodOfDistinctFoldersDoesNotDriveOutAStreamThatIsRead() {
    try (StreamObserver observer = observer()) {
      for (int round = 0; round < 300; round++) {
        read(observer, name(round));
        for (int i = 0; i < 100; i++) {
          read(observer, "flood/" + round + "-" + i + "/x/y");
        }
        if (round % 50 == 49) {
          awaitRecords(observer, 101L * (round + 1));
        }
      }
      assertThat(observer.counts().nodes()).isLessThanOrEqualTo(StreamRules.STANDARD.mostNodes());
      assertThat(observer.counts().treeBytes()).isLessThanOrEqualTo(8L << 20);
      assertThat(observer.of(ObjectBlocks.of(object(name(400)), 4096, "")))
          .as("the scan beside the flood")
          .isEqualTo(BlockPlace.NOWHERE);
    }
  }
}
