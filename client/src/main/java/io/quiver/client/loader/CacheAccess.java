package io.quiver.client.loader;

import io.quiver.client.BlobAnswer;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.GetRequest;
import io.quiver.client.Lookup;
import io.quiver.client.ServerAddress;
import io.quiver.client.link.PlannedClient;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.plan.Caching;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.allocate.DatasetKey;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a job access to the cache: the servers of its settings or of the plan, at times none. Logs
 * once that no server answers any more, and once that they do again.
 */
final class CacheAccess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheAccess.class);

  private final LoaderConfig config;
  private final String job;
  private final LatestPlan board;
  private final PlannedClient cache = new PlannedClient(this::connect);
  private volatile long position = RankingJob.NO_POSITION;
  private volatile long lowest;
  // Guarded by this.
  private boolean down;

  CacheAccess(LoaderConfig config, String job, LatestPlan board) {
    this.config = config;
    this.job = job;
    this.board = board;
    if (config.caching() != Caching.NONE) {
      cache.turnTo(config.servers().stream().map(ServerAddress::of).toList());
      board.watch(this::follow);
    }
  }

  /** Turns to the servers of a plan; one that names none leaves those the job was told of. */
  private void follow(JobPlan plan) {
    try {
      cache.turnTo(
          plan.members().isEmpty()
              ? config.servers().stream().map(ServerAddress::of).toList()
              : ServerAddress.ofPlan(plan.members()));
    } catch (IllegalArgumentException e) {
      LOG.warn("the servers of plan {} cannot be used: {}", plan.version(), e.getMessage());
    }
  }

  private CacheClient connect(List<ServerAddress> addresses) {
    return CacheClient.connect(clientConfig(addresses));
  }

  private ClientConfig clientConfig(List<ServerAddress> addresses) {
    return ClientConfig.of(addresses.stream().map(ServerAddress::uri).toList())
        .withJob(job)
        .withRankingJob(config.importance().isPresent() ? config.job() : "")
        .withDataset(DatasetKey.of(config.digest().identity()).text())
        .withBufferBytes(Math.max(512L << 20, 3 * config.ahead().bytes() * config.ranksHere()))
        .withCredentials(config.credentials());
  }

  /** The client of the servers there are; null while there are none. */
  @Nullable CacheClient client() {
    return cache.client();
  }

  long planVersion() {
    return board.version();
  }

  /** Returns how far the job has read, where its priorities are next uses. */
  long position() {
    return position;
  }

  /** Notes how far the job has read. */
  void moveTo(long latest) {
    position = latest;
  }

  /** Returns the lowest priority that the ranked space keeps; 0 while it takes anything. */
  long lowest() {
    return lowest;
  }

  /** Notes the lowest priority that servers told. */
  void heard(long latest) {
    lowest = latest;
  }

  /** Asks the cache; null when there is none or it is being closed. */
  @Nullable BlobAnswer get(GetRequest question) {
    CacheClient current = cache.client();
    if (current == null) {
      return null;
    }
    try {
      BlobAnswer answer = current.get(question);
      noteFailures(answer.failures().size());
      return answer;
    } catch (IllegalStateException e) {
      if (cache.isClosed()) {
        return null;
      }
      throw e;
    }
  }

  /** Looks items up; null when there is no cache or it is being closed. */
  @Nullable Lookup lookup(List<ContentHash> hashes, boolean claim) {
    CacheClient current = cache.client();
    if (current == null) {
      return null;
    }
    try {
      Lookup lookup = current.lookup(hashes, claim);
      noteFailures(lookup.failures().size());
      return lookup;
    } catch (IllegalStateException e) {
      if (cache.isClosed()) {
        return null;
      }
      throw e;
    }
  }

  private void noteFailures(int failures) {
    boolean allFailed = failures >= cache.servers();
    if (allFailed || down()) {
      change(allFailed, failures);
    }
  }

  /** Returns true if there is a cache that answered when it was last asked. */
  boolean answers() {
    return client() != null && !down();
  }

  private synchronized boolean down() {
    return down;
  }

  private synchronized void change(boolean allFailed, int failures) {
    if (allFailed && !down && !cache.isClosed()) {
      down = true;
      tell("no cache server answers; reading from the store until one does");
    } else if (failures == 0 && down) {
      down = false;
      tell("the cache servers answer again");
    }
  }

  /** Warns about the whole cache; of a single server its link says the same. */
  private void tell(String what) {
    if (cache.servers() > 1) {
      LOG.warn("job {}: {}", job, what);
    }
  }

  @Override
  public void close() {
    cache.close();
  }
}
