package io.quiver.server.plan;

import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.store.BlobStore;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a server in touch with the manager: reports once a second and asks for newer plans in
 * between. While the manager is away the server serves what it has.
 *
 * <p>A second thread applies plans, because dropping many blobs may take longer than the manager
 * waits for a silent server. It applies the newest plan only; reports tell which one that was.
 */
public final class PlanFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlanFollower.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long MIN_PAUSE_MILLIS = 50;
  private static final long MAX_PAUSE_MILLIS = 2_000;
  private static final long STOP_MILLIS = 3_000;

  private final PlanSource manager;
  private final String name;
  private final URI address;
  private final long usableBytes;
  private final BlobStore store;
  private final PlannedServer server;
  private final String instance = UUID.randomUUID().toString();
  private final Thread thread;
  private volatile boolean stopped;
  private final Thread applier;
  private final BlockingQueue<ServerPlan> heard = new ArrayBlockingQueue<>(1);
  private boolean away;
  private volatile long heardVersion;
  private volatile long appliedVersion;

  private PlanFollower(
      PlanSource manager,
      String name,
      URI address,
      long usableBytes,
      BlobStore store,
      PlannedServer server) {
    this.manager = manager;
    this.name = name;
    this.address = address;
    this.usableBytes = usableBytes;
    this.store = store;
    this.server = server;
    this.thread = Thread.ofVirtual().name("quiver-follower").unstarted(this::run);
    this.applier = Thread.ofVirtual().name("quiver-plan-applier").unstarted(this::applyOn);
  }

  /**
   * Follows a manager's plans until closed.
   *
   * @param manager where plans come from; closed with the follower
   * @param name what the server calls itself
   * @param address where clients find it
   * @param usableBytes how many bytes of blobs it can hold
   * @param store tells which spaces there are
   * @param server moves toward plans
   */
  public static PlanFollower start(
      PlanSource manager,
      String name,
      URI address,
      long usableBytes,
      BlobStore store,
      PlannedServer server) {
    PlanFollower follower = new PlanFollower(manager, name, address, usableBytes, store, server);
    follower.thread.start();
    follower.applier.start();
    return follower;
  }

  private void run() {
    long pause = MIN_PAUSE_MILLIS;
    while (!stopped) {
      try {
        hear(manager.report(report(false)));
        hear(manager.await(name, heardVersion, POLL));
        if (away) {
          LOG.info("{} follows the manager {} again", name, manager);
        }
        away = false;
        pause = MIN_PAUSE_MILLIS;
      } catch (IOException | RuntimeException e) {
        sayOnce(e);
        pause = rest(pause);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void sayOnce(Exception e) {
    if (!away && !stopped) {
      LOG.info("{} serves without the manager {} for now: {}", name, manager, e.toString());
    }
    away = true;
  }

  private long rest(long pause) {
    try {
      TimeUnit.MILLISECONDS.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Math.min(2 * pause, MAX_PAUSE_MILLIS);
  }

  /** Hands a newer plan to the applier, in place of one that still waits. */
  private void hear(ServerPlan plan) {
    if (plan.version() > heardVersion) {
      heardVersion = plan.version();
      heard.poll();
      heard.add(plan);
    }
  }

  private void applyOn() {
    while (!stopped) {
      try {
        ServerPlan plan = heard.take();
        server.apply(plan);
        appliedVersion = plan.version();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (stopped) {
          return;
        }
        LOG.warn("{} could not apply a plan and asks for it again", name, e);
        heardVersion = appliedVersion;
      }
    }
  }

  private ServerReport report(boolean leaving) {
    Map<String, Long> spaces = new HashMap<>();
    if (!leaving) {
      store.spaces().forEach(each -> spaces.put(each.space().name(), each.chargedBytes()));
    }
    return new ServerReport(
        name,
        instance,
        address.toString(),
        usableBytes,
        spaces,
        appliedVersion,
        leaving,
        leaving ? Map.of() : server.streamKeepers());
  }

  /** Stops and tells the manager, if it listens. */
  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
    applier.interrupt();
    try {
      thread.join(STOP_MILLIS);
      // Whoever closes the store next must not take it from under a plan.
      applier.join(STOP_MILLIS);
      if (!away) {
        ServerPlan _ = manager.report(report(true));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.debug("the manager was not told that {} stops", name, e);
    } finally {
      manager.close();
    }
  }
}
