package io.quiver.remote.ingest;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestVerifier.Finding;
import io.quiver.remote.ingest.DigestVerifier.Options;
import io.quiver.remote.ingest.DigestVerifier.Problem;
import io.quiver.remote.ingest.DigestVerifier.Report;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Runs one verification: splits the items into stretches, has workers check them and collects
 * findings.
 *
 * <p>A stretch is a run of items that lie one behind the other in one object, read in one go.
 */
final class VerifyRun {
  private static final long STRETCH_BYTES = 8 << 20;
  private static final int STRETCH_ITEMS = 4096;

  private final DatasetDigest digest;
  private final RemoteStore store;
  private final Options options;
  private final DigestProgress progress;
  private final PriorityQueue<Finding> findings =
      new PriorityQueue<>(Comparator.comparingInt(Finding::item).reversed());
  private final long[] problems = new long[Problem.values().length];
  private final LongAdder items = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final AtomicReference<@Nullable RuntimeException> broken = new AtomicReference<>();

  VerifyRun(DatasetDigest digest, RemoteStore store, Options options, DigestProgress progress) {
    this.digest = digest;
    this.store = store;
    this.options = options;
    this.progress = progress;
  }

  Report run() throws InterruptedException {
    int workers = new IngestOptions.Work(options.workers(), Duration.ZERO).workersFor(store.uri());
    Semaphore tasks = new Semaphore(4 * workers);
    ThreadLocal<Hasher> hashers = ThreadLocal.withInitial(() -> new Hasher(progress));
    ExecutorService pool =
        Executors.newFixedThreadPool(
            workers, Thread.ofPlatform().daemon().name("digest-verifier-", 0).factory());
    try {
      eachStretch((first, end) -> {
        tasks.acquire();
        pool.execute(() -> check(first, end, hashers.get(), tasks));
      });
      tasks.acquire(4 * workers);
    } finally {
      pool.shutdownNow();
      pool.awaitTermination(60, TimeUnit.SECONDS);
    }
    RuntimeException failure = broken.get();
    if (failure != null) {
      throw failure;
    }
    progress.phase(DigestProgress.Phase.DONE);
    return report();
  }

  private void check(int first, int end, Hasher hasher, Semaphore tasks) {
    try {
      new StretchCheck(digest, store, hasher, this::found).run(first, end);
      items.add(end - first);
      progress.itemsDone(end - first);
      for (int i = first; i < end; i++) {
        bytes.add(digest.size(i));
      }
    } catch (RuntimeException e) {
      broken.compareAndSet(null, e);
    } finally {
      tasks.release();
    }
  }

  private synchronized void found(int item, Problem problem, String detail) {
    problems[index(problem)]++;
    findings.add(new Finding(item, digest.item(item).location(), problem, detail));
    if (findings.size() > options.maxFindings()) {
      findings.poll();
    }
  }

  private synchronized Report report() {
    return new Report(
        items.sum(),
        bytes.sum(),
        problems[index(Problem.CHANGED)],
        problems[index(Problem.MISSING)],
        problems[index(Problem.UNREADABLE)],
        findings.stream().sorted(Comparator.comparingInt(Finding::item)).toList());
  }

  private void eachStretch(StretchUse use) throws InterruptedException {
    if (options.sample().isPresent() && options.sample().getAsInt() < digest.itemCount()) {
      sample(options.sample().getAsInt(), use);
      return;
    }
    progress.total(digest.objectCount(), digest.totalBytes());
    int first = 0;
    while (first < digest.itemCount() && broken.get() == null) {
      int end = stretchEnd(first);
      use.accept(first, end);
      first = end;
    }
  }

  // One item from each of as many equal parts as there are items to take: spread over the whole
  // data set, each at most once, and none to be remembered.
  private void sample(int count, StretchUse use) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(options.seed());
    for (long part = 0; part < count && broken.get() == null; part++) {
      int low = (int) (part * digest.itemCount() / count);
      int high = (int) ((part + 1) * digest.itemCount() / count);
      int item = random.nextInt(low, high);
      use.accept(item, item + 1);
    }
  }

  private int stretchEnd(int first) {
    int end = first + 1;
    long bytesInStretch = digest.size(first);
    while (end < digest.itemCount()
        && end - first < STRETCH_ITEMS
        && bytesInStretch < STRETCH_BYTES
        && follows(end)) {
      bytesInStretch += digest.size(end++);
    }
    return end;
  }

  private boolean follows(int item) {
    long gap = digest.offset(item) - digest.offset(item - 1) - digest.size(item - 1);
    return digest.objectIndex(item) == digest.objectIndex(item - 1)
        && gap >= 0
        && gap <= StretchCheck.MAX_GAP_BYTES;
  }

  private static int index(Problem problem) {
    return switch (problem) {
      case CHANGED -> 0;
      case MISSING -> 1;
      case UNREADABLE -> 2;
    };
  }

  private interface StretchUse {
    void accept(int first, int end) throws InterruptedException;
  }
}
