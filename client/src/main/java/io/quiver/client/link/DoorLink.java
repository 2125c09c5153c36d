package io.quiver.client.link;

import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.JobNames;
import io.quiver.client.ServerAddress;
import io.quiver.core.engine.DoorMeter;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.plan.DoorPlan;
import io.quiver.core.plan.DoorSpaces;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.StreamSummary;
import io.quiver.http.ClientCredentials;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a door in touch with the cache manager and turned to the servers of its plans. While no
 * manager answers, the last plan counts; before the first one the cache is not usable and the door
 * reads from the store. No call waits for a manager, except {@link #open} for the first plan. Safe
 * for use by many threads.
 */
public final class DoorLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DoorLink.class);

  private final Settings settings;
  // Guarded by itself.
  private final DoorMeter meter = new DoorMeter(System.nanoTime());
  private final DoorMeter.Reporter reporter;
  private final AtomicLong sequence = new AtomicLong();
  private final AtomicBoolean silent = new AtomicBoolean();
  private final PlannedClient cache;
  private final PlanLink<DoorPlan> link;
  private final Latest latest = new Latest();
  private volatile DoorStreams streams = DoorStreams.NONE;

  /**
   * The identity of a door, and the managers it reports to.
   *
   * @param door its name, unique among the doors that run
   * @param user whose it is; may be empty
   * @param managers tried in order
   * @param credentials shown to managers and servers
   * @param client changes the settings of the cache client, which has the door's name already
   */
  public record Settings(
      String door,
      String user,
      List<URI> managers,
      ClientCredentials credentials,
      UnaryOperator<ClientConfig> client) {
    /** Keeps its own copy. */
    public Settings {
      managers = List.copyOf(managers);
      if (managers.isEmpty()) {
        throw new IllegalArgumentException("door " + door + " has no manager; name at least one");
      }
    }

    private Settings renamed() {
      return new Settings(JobNames.another(door), user, managers, credentials, client);
    }
  }

  private DoorLink(Settings settings) throws IOException {
    this.settings = settings;
    this.reporter =
        new DoorMeter.Reporter(settings.door(), UUID.randomUUID().toString(), settings.user());
    this.cache = new PlannedClient(this::connect);
    this.link =
        new PlanLink<>(
            new PlanLink.Member<>(
                "door",
                settings.door(),
                settings.managers(),
                settings.credentials(),
                DoorPlan.class),
            latest,
            this::report);
  }

  /**
   * Begins reporting and waits a moment for the first plan. A door whose name is taken goes on
   * under another one.
   *
   * @throws IOException if the credentials cannot be read
   */
  public static DoorLink open(Settings settings) throws IOException {
    DoorLink door = new DoorLink(settings);
    if (!door.link.introduce()) {
      door.close();
      Settings renamed = settings.renamed();
      LOG.warn("door {} goes on as {}", settings.door(), renamed.door());
      door = new DoorLink(renamed);
      door.link.introduce();
    }
    door.link.start();
    return door;
  }

  /** The latest plan, and the client that follows it. */
  private final class Latest implements PlanLink.PlanHolder<DoorPlan> {
    private volatile @Nullable DoorPlan plan;

    @Override
    public synchronized void offer(DoorPlan offered) {
      if (offered.version() <= version()) {
        return;
      }
      try {
        cache.turnTo(ServerAddress.ofPlan(offered.members()));
      } catch (IllegalArgumentException e) {
        LOG.warn("the servers of plan {} cannot be used: {}", offered.version(), e.getMessage());
      }
      plan = offered;
      streams.follow(offered.streams(), offered.datasets());
    }

    @Override
    public long version() {
      DoorPlan now = plan;
      return now == null ? 0 : now.version();
    }

    @Override
    public boolean awaitsFirst(boolean reachable, long waitedNanos) {
      return plan == null && reachable && waitedNanos < ReadRules.FIRST_PLAN_WAIT.toNanos();
    }

    @Nullable SpaceId space() {
      DoorPlan now = plan;
      return now == null ? null : now.space();
    }

    boolean hasSpace() {
      DoorPlan now = plan;
      return now != null
          && (now.space() != null
              || now.streams().stream().anyMatch(each -> each.space() != null)
              || now.datasets().stream().anyMatch(each -> !each.held().isEmpty()));
    }

    synchronized void showTo(DoorStreams other) {
      DoorPlan now = plan;
      if (now != null) {
        other.follow(now.streams(), now.datasets());
      }
    }
  }

  private Object report(boolean leaving) {
    long number = sequence.incrementAndGet();
    List<StreamSummary> summaries = leaving ? List.of() : summaries();
    synchronized (meter) {
      return meter
          .report(reporter, number, latest.version(), leaving, System.nanoTime())
          .withStreams(summaries);
    }
  }

  /** Returns what the door knows of its streams; a defect there must not silence the door. */
  private List<StreamSummary> summaries() {
    try {
      return streams.summaries();
    } catch (RuntimeException e) {
      if (!silent.getAndSet(true)) {
        LOG.warn("door {} goes on without reporting its streams", settings.door(), e);
      }
      return List.of();
    }
  }

  /** Reports a door's streams from now on, and shows it the verdicts of every plan. */
  public void watch(DoorStreams watched) {
    streams = watched;
    latest.showTo(watched);
  }

  private CacheClient connect(List<ServerAddress> addresses) {
    ClientConfig config =
        ClientConfig.of(addresses.stream().map(ServerAddress::uri).toList())
            .withJob(settings.door())
            .withCredentials(settings.credentials());
    return CacheClient.connect(settings.client().apply(config));
  }

  /**
   * Notes for the next report that a program has read a block of no stream, or has been read it
   * ahead.
   *
   * @param block bits of the block's name, as good as random
   * @param bytes how long the block is
   * @param fromStore whether the store had to be asked
   * @param tookNanos how long the answer took
   */
  public void noteRead(long block, long bytes, boolean fromStore, long tookNanos) {
    synchronized (meter) {
      meter.noteRead(block, bytes, fromStore, tookNanos, System.nanoTime());
    }
  }

  /** Returns the name under which the door reports. */
  public String door() {
    return settings.door();
  }

  /** Returns true if a plan names servers and a space. */
  public boolean usable() {
    return cache.client() != null && latest.hasSpace();
  }

  /**
   * Returns the client, which follows the servers of plans.
   *
   * @throws IllegalStateException if the cache is not usable, or the link is closed
   */
  public CacheClient blobs() {
    CacheClient client = cache.client();
    if (client == null) {
      throw new IllegalStateException(
          "door " + settings.door() + " knows no cache server yet; read from the store");
    }
    return client;
  }

  /** Returns the space for what the door reads: that of the plan, or the usual one before it. */
  public SpaceId space() {
    return Objects.requireNonNullElse(latest.space(), DoorSpaces.SHARED);
  }

  /** Returns the version of the plan, to go with inserts; 0 before there is one. */
  public long plan() {
    return latest.version();
  }

  /** Returns true if a manager answered lately. */
  public boolean managerReachable() {
    return link.reachable();
  }

  /** Says goodbye to the manager and closes the client. */
  @Override
  public void close() {
    link.close();
    cache.close();
  }
}
