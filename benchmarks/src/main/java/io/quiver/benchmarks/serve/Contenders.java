package io.quiver.benchmarks.serve;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.load.JavaLoad;
import io.quiver.benchmarks.load.LoadGenerator;
import io.quiver.benchmarks.load.LoadGenerator.LoadShape;
import io.quiver.benchmarks.load.LoadResult;
import io.quiver.benchmarks.peer.Iperf3Server;
import io.quiver.benchmarks.peer.MemcachedServer;
import io.quiver.benchmarks.peer.NginxServer;
import io.quiver.benchmarks.peer.PeerServer;
import io.quiver.benchmarks.peer.QuiverServer;
import io.quiver.benchmarks.peer.RedisServer;
import io.quiver.benchmarks.peer.ReferenceServer;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.NativePrograms;
import io.quiver.benchmarks.workbench.Workbench;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Starts and fills every peer that is wanted and installed. */
final class Contenders {
  private static final double PREPARATION_SHARE = 0.25;

  private final Workbench workbench;
  private final NativePrograms programs;
  private final LoadGenerator generator;
  private final List<BlobSet> sets;
  private final BenchmarkListener listener;
  private final Map<Peer, Contender> started = new EnumMap<>(Peer.class);

  private Contenders(
      Workbench workbench,
      NativePrograms programs,
      List<BlobSet> sets,
      BenchmarkListener listener) {
    this.workbench = workbench;
    this.programs = programs;
    this.generator = new LoadGenerator(workbench, programs.loadGenerator());
    this.sets = sets;
    this.listener = listener;
  }

  static Map<Peer, Contender> start(
      Workbench workbench,
      NativePrograms programs,
      List<BlobSet> sets,
      Set<Peer> wanted,
      BenchmarkListener listener)
      throws BenchmarkException, InterruptedException {
    Contenders contenders = new Contenders(workbench, programs, sets, listener);
    contenders.startOwn(wanted);
    contenders.startOthers(wanted);
    return contenders.started;
  }

  private void startOwn(Set<Peer> wanted) throws BenchmarkException {
    if (wanted.contains(Peer.REFERENCE)) {
      add(Peer.REFERENCE, ReferenceServer.start(workbench, programs, sets));
    }
    if (wanted.contains(Peer.QUIVER) || wanted.contains(Peer.QUIVER_JAVA)) {
      listener.step(PREPARATION_SHARE / 4, "filling the cache server");
      QuiverServer server = QuiverServer.start(workbench, "quiver", sets);
      if (wanted.contains(Peer.QUIVER)) {
        add(Peer.QUIVER, server);
      }
      if (wanted.contains(Peer.QUIVER_JAVA)) {
        JavaLoad load = JavaLoad.start(workbench, server.target(sets.getFirst()), sets);
        started.put(Peer.QUIVER_JAVA, load::run);
      }
    }
  }

  private void startOthers(Set<Peer> wanted) throws BenchmarkException, InterruptedException {
    if (wanted.contains(Peer.MEMCACHED)) {
      listener.step(PREPARATION_SHARE / 2, "filling memcached");
      MemcachedServer.start(workbench, sets).ifPresent(server -> add(Peer.MEMCACHED, server));
    }
    if (wanted.contains(Peer.REDIS_MGET) || wanted.contains(Peer.REDIS_PIPELINED)) {
      listener.step(PREPARATION_SHARE / 2, "filling redis");
      RedisServer.start(workbench, sets).ifPresent(server -> addRedis(server, wanted));
    }
    if (wanted.contains(Peer.NGINX)) {
      listener.step(PREPARATION_SHARE, "writing files for nginx");
      NginxServer.start(workbench, sets).ifPresent(server -> add(Peer.NGINX, server));
    }
    if (wanted.contains(Peer.IPERF3)) {
      Optional<Iperf3Server> server = Iperf3Server.start(workbench);
      server.ifPresent(s -> started.put(Peer.IPERF3, (set, shape) -> s.run(shape.seconds())));
    }
  }

  private void addRedis(RedisServer server, Set<Peer> wanted) {
    if (wanted.contains(Peer.REDIS_MGET)) {
      add(Peer.REDIS_MGET, server);
    }
    if (wanted.contains(Peer.REDIS_PIPELINED)) {
      add(Peer.REDIS_PIPELINED, server.pipelined());
    }
  }

  private void add(Peer peer, PeerServer server) {
    started.put(
        peer,
        (set, shape) -> generator.run("load-" + peer.label(), server.target(set), set, shape));
  }

  /** A peer that is up and can be given a slice of load. */
  @FunctionalInterface
  interface Contender {
    LoadResult measure(BlobSet set, LoadShape shape)
        throws BenchmarkException, InterruptedException;
  }
}
