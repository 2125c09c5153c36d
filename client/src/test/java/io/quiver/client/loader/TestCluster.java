package io.quiver.client.loader;

import io.quiver.core.plan.PlannerConfig;
import io.quiver.core.plan.PlannerKind;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.http.Exchange;
import io.quiver.manager.CacheManager;
import io.quiver.manager.ManagerConfig;
import io.quiver.manager.ManagerServer;
import io.quiver.manager.Refused;
import io.quiver.server.CacheServer;
import io.quiver.server.ServerConfig;
import io.quiver.server.plan.AppliedSpaces;
import io.quiver.store.BlobStore;
import io.quiver.store.memory.MemoryBlobStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A real manager and real cache servers on loopback. The servers report and follow the plan; each
 * can be killed and come back empty, and so can the manager.
 */
final class TestCluster implements AutoCloseable {
  /** Outlasts every test: a busy machine may keep a thread from reporting for seconds. */
  private static final Duration ENDLESS_LEASE = Duration.ofMinutes(10);

  private final ManagerConfig config;
  private final long serverBytes;
  private final List<Seat> seats;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private boolean closed;
  private boolean deaf;
  private CacheManager manager;
  private ManagerServer front;
  private final int managerPort;
  private final Thread reporter;

  /** A server's place: its port stays when it dies. */
  private static final class Seat {
    private final String name;
    private final long bytes;
    private BlobStore store;
    private CacheServer server;
    private boolean alive = true;
    private long planVersion;

    Seat(String name, long bytes) {
      this.name = name;
      this.bytes = bytes;
      this.store = emptyStore(bytes);
      this.server = start(0, store);
    }

    void revive() {
      store = emptyStore(bytes);
      server = start(server.uri().getPort(), store);
      planVersion = 0;
      alive = true;
    }

    /** With room for what is on its way out: the manager's budget bounds what plans fill. */
    private static BlobStore emptyStore(long bytes) {
      return new MemoryBlobStore(4 * bytes + (16 << 20), 64 << 20);
    }

    private static CacheServer start(int port, BlobStore store) {
      try {
        return CacheServer.start(ServerConfig.on("127.0.0.1", port), store);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  TestCluster(int servers, long bytesTogether) {
    this(servers, bytesTogether, PlannerKind.MARGINAL);
  }

  TestCluster(int servers, long bytesTogether, PlannerKind planner) {
    this(servers, bytesTogether, planner, ENDLESS_LEASE);
  }

  /**
   * Starts a cluster.
   *
   * @param serverLease how long a killed server still counts as a member
   */
  TestCluster(int servers, long bytesTogether, PlannerKind planner, Duration serverLease) {
    config =
        new ManagerConfig(
            PlannerConfig.of(planner),
            bytesTogether,
            ENDLESS_LEASE,
            serverLease,
            Duration.ofMillis(100),
            CachePreferences.NONE,
            Duration.ofMillis(20));
    serverBytes = bytesTogether / servers;
    manager = CacheManager.start(config);
    front = listen(0);
    managerPort = front.port();
    seats =
        IntStream.range(0, servers).mapToObj(i -> new Seat("server-" + i, serverBytes)).toList();
    reporter = Thread.ofPlatform().daemon().name("test-servers").start(this::reportOn);
    Await.until("all servers are members", () -> manager.plan().members().size() == servers);
  }

  private ManagerServer listen(int port) {
    try {
      return ManagerServer.start(
          ManagerServer.Listen.on("127.0.0.1", port),
          manager,
          exchange -> exchange.answer(200, Exchange.JSON, new byte[] {'{', '}'}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI manager() {
    return URI.create("http://127.0.0.1:" + managerPort);
  }

  List<URI> servers() {
    return seats.stream().map(seat -> seat.server.uri()).toList();
  }

  private void reportOn() {
    lock.lock();
    try {
      while (!closed) {
        seats.stream().filter(seat -> seat.alive).forEach(this::report);
        ended.await(30, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void report(Seat seat) {
    try {
      ServerPlan plan =
          manager.report(
              new ServerReport(
                  seat.name,
                  "instance",
                  seat.server.uri().toString(),
                  serverBytes,
                  seat.store.spaces().stream()
                      .collect(
                          Collectors.toMap(
                              each -> each.space().name(), each -> each.chargedBytes())),
                  seat.planVersion,
                  false));
      if (!deaf) {
        AppliedSpaces _ = seat.server.applySpaces(plan);
        seat.planVersion = plan.version();
      }
    } catch (Refused e) {
      return; // It has just started.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Keeps the servers from hearing of plans, or lets them. */
  void deafen(boolean yes) {
    lock.lock();
    try {
      deaf = yes;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a server; its blobs are lost. */
  void kill(int index) {
    lock.lock();
    try {
      Seat seat = seats.get(index);
      if (seat.alive) {
        seat.alive = false;
        seat.server.close();
        seat.store.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  /** Starts it again, empty, where it was. */
  void revive(int index) {
    lock.lock();
    try {
      if (!seats.get(index).alive) {
        seats.get(index).revive();
      }
    } finally {
      lock.unlock();
    }
  }

  void killManager() {
    lock.lock();
    try {
      front.close();
      manager.close();
    } finally {
      lock.unlock();
    }
  }

  /** A new one that knows nothing, where the old one was. */
  void reviveManager() {
    lock.lock();
    try {
      manager = CacheManager.start(config);
      front = listen(managerPort);
    } finally {
      lock.unlock();
    }
  }

  CacheManager managerNow() {
    lock.lock();
    try {
      return manager;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      reporter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    killManager();
    IntStream.range(0, seats.size()).forEach(this::kill);
  }
}
