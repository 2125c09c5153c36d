package io.quiver.remote.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.remote.CountingStore;
import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.RemoteStoreContract;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.throttle.Throttle.Latency;
import io.quiver.testkit.VirtualClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A throttled store in virtual time. */
final class ThrottleTest {
  private static final double SECOND = 1e9;
  private static final int SIZE = 10_000_000;

  @TempDir Path folder;
  private final AtomicLong now = new AtomicLong(-5_000_000_000L);

  @BeforeEach
  void fill() throws IOException {
    Files.write(folder.resolve("x"), RemoteStoreContract.bytes(1, SIZE));
  }

  private Throttle throttle(long bytesPerSecond, Latency latency) {
    return new Throttle(bytesPerSecond, latency, now::get, now::addAndGet);
  }

  private double secondsFor(ThrottledStore store, long bytes) throws IOException {
    long began = now.get();
    try (InputStream stream = store.open("x", 0, bytes)) {
      assertThat(stream.transferTo(OutputStream.nullOutputStream())).isEqualTo(bytes);
    }
    return (now.get() - began) / SECOND;
  }

  private static Offset<Double> fivePercentOf(double expected) {
    return within(expected * 0.05);
  }

  @Test
  void bytesTakeTheTimeTheirRateSays() throws IOException {
    for (long rate : new long[] {1000, 50_000, 3_000_000, 1_000_000_000}) {
      long bytes = Math.min(SIZE, 100 * rate);
      double expected = (double) bytes / rate;
      try (ThrottledStore store =
          new ThrottledStore(FileStore.open(folder), throttle(rate, Latency.NONE))) {
        double margin = Math.max(expected * 0.05, 0.021);
        assertThat(secondsFor(store, bytes)).as("rate " + rate).isCloseTo(expected, within(margin));
      }
    }
  }

  @Test
  void buffersAreThrottledLikeStreams() throws IOException {
    try (ThrottledStore store =
        new ThrottledStore(FileStore.open(folder), throttle(1_000_000, Latency.NONE))) {
      long began = now.get();
      store.read("x", 0, ByteBuffer.allocate(SIZE));
      assertThat((now.get() - began) / SECOND).isCloseTo(10.0, fivePercentOf(10));
    }
  }

  @Test
  void anIdleLinkBurstsNoMoreThanItsBound() throws IOException {
    Throttle throttle = throttle(1_000_000, Latency.NONE);
    try (ThrottledStore store = new ThrottledStore(FileStore.open(folder), throttle)) {
      secondsFor(store, 1_000_000);
      now.addAndGet(3_600_000_000_000L);
      assertThat(throttle.burst()).isEqualTo(20_000);
      double seconds = secondsFor(store, 1_000_000);
      assertThat(seconds).isBetween(0.98, 1.0);
    }
  }

  @Test
  void everyRequestWaitsItsLatencyAndSeededJitterRepeats() throws IOException {
    Latency latency = new Latency(Duration.ofMillis(100), Duration.ofMillis(50), 42);
    double[] totals = new double[2];
    for (int run = 0; run < 2; run++) {
      try (ThrottledStore store =
          new ThrottledStore(FileStore.open(folder), throttle(1L << 40, latency))) {
        long began = now.get();
        for (int i = 0; i < 1000; i++) {
          store.stat("x");
        }
        totals[run] = (now.get() - began) / SECOND;
      }
    }
    assertThat(totals[0]).isCloseTo(125.0, fivePercentOf(125));
    assertThat(totals[1]).isEqualTo(totals[0]);
  }

  @Test
  void aListingWaitsOncePerThousandObjects() throws IOException {
    for (int i = 0; i < 2500; i++) {
      Files.createFile(folder.resolve("n" + i));
    }
    Latency latency = new Latency(Duration.ofSeconds(1), Duration.ZERO, 0);
    try (ThrottledStore store =
            new ThrottledStore(FileStore.open(folder), throttle(1000, latency));
        Stream<RemoteObject> listed = store.list("")) {
      long began = now.get();
      assertThat(listed.map(RemoteObject::name).toList()).hasSize(2501);
      assertThat((now.get() - began) / SECOND).isEqualTo(2.0);
    }
  }

  @Test
  void concurrentStreamsShareTheLinkFairly() throws Exception {
    int streams = 4;
    VirtualClock clock = new VirtualClock(streams);
    ThreadLocal<Integer> number = new ThreadLocal<>();
    Throttle throttle =
        new Throttle(
            1_000_000, Latency.NONE, clock::nanoTime, nanos -> clock.pause(number.get(), nanos));
    AtomicLong[] delivered = new AtomicLong[streams];
    Thread[] readers = new Thread[streams];
    for (int i = 0; i < streams; i++) {
      int self = i;
      delivered[i] = new AtomicLong();
      readers[i] =
          Thread.ofPlatform()
              .unstarted(() -> {
                number.set(self);
                readFor(clock, throttle, 20 * (long) SECOND, delivered[self]);
                clock.leave();
              });
    }
    for (Thread reader : readers) {
      reader.start();
    }
    for (Thread reader : readers) {
      reader.join(Duration.ofSeconds(60));
      assertThat(reader.isAlive()).isFalse();
    }
    double total = 0;
    for (AtomicLong share : delivered) {
      assertThat(share.doubleValue()).isCloseTo(5_000_000, fivePercentOf(5_000_000));
      total += share.get();
    }
    assertThat(total).isCloseTo(20_000_000, fivePercentOf(20_000_000));
  }

  /** Takes bytes in pieces of varied sizes until the time is up. */
  private static void readFor(VirtualClock clock, Throttle throttle, long until, AtomicLong sum) {
    try {
      for (int piece = 1000; clock.nanoTime() < until; piece = piece * 7 % 50_000 + 1) {
        throttle.bytes(piece);
        sum.addAndGet(piece);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void everyCallWaitsForItsAnswerAndItsBytes() throws IOException {
    Latency latency = new Latency(Duration.ofSeconds(1), Duration.ZERO, 0);
    try (RemoteStore store = new ThrottledStore(FileStore.open(folder), throttle(SIZE, latency))) {
      long began = now.get();
      RemoteObject object = store.details("x").object();
      assertThat((now.get() - began) / SECOND).isEqualTo(1.0);
      store.page(ListingRequest.all(""));
      assertThat((now.get() - began) / SECOND).isEqualTo(2.0);
      store.read(object, 0, ByteBuffer.allocate(SIZE));
      assertThat((now.get() - began) / SECOND).isCloseTo(4.0, within(0.1));
      try (InputStream stream = store.open(object, 0, -1)) {
        assertThat(stream.readAllBytes()).hasSize(SIZE);
      }
      assertThat((now.get() - began) / SECOND).isCloseTo(6.0, within(0.1));
      try (FirstBytes first = store.first("x", SIZE / 2)) {
        assertThat(first.bytes().readAllBytes()).hasSize(SIZE / 2);
      }
      assertThat((now.get() - began) / SECOND).isCloseTo(7.5, within(0.1));
    }
  }

  @Test
  void aClosedStoreStopsWaiting() throws IOException {
    ThrottledStore store = new ThrottledStore(FileStore.open(folder), throttle(1000, Latency.NONE));
    try (InputStream stream = store.open("x", 0, -1)) {
      assertThat(stream.read()).isNotNegative();
      store.close();
      assertThatThrownBy(() -> stream.read(new byte[100]))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void countsAreExact() throws IOException {
    try (CountingStore store = new CountingStore(FileStore.open(folder))) {
      store.stat("x");
      store.list("").close();
      store.read("x", 5, ByteBuffer.allocate(1000));
      try (InputStream stream = store.open("x", 0, 2000)) {
        stream.readNBytes(500);
        stream.skipNBytes(100);
      }
      assertThatThrownBy(() -> store.stat("gone")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> store.read("x", SIZE - 10, ByteBuffer.allocate(11)))
          .isInstanceOf(IOException.class);
      assertThat(store.counts()).isEqualTo(new CountingStore.Counts(1, 2, 2, 1, 1610, 2));
      assertThat(store.counts().requests()).isEqualTo(6);
    }
  }
}
