package io.quiver.benchmarks.serve;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quiver.benchmarks.serve.ServeResult.PeerSpeed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures for scripts: an array with one object for each workload. Speeds are gigabytes (10^9
 * bytes) of payload per second; a peer that was not measured is null.
 */
public final class ServeJson {
  private ServeJson() {}

  /** Returns the whole document, indented. */
  public static String write(List<ServeResult> results) {
    ArrayNode array = new ObjectMapper().createArrayNode();
    for (ServeResult result : results) {
      write(result, array.addObject());
    }
    return array.toPrettyString();
  }

  private static void write(ServeResult result, ObjectNode object) {
    object.put("bytes", result.workload().bytes());
    object.put("batch", result.workload().batch());
    put(object, "quiver_gbps", result.gigabytesPerSecond(Peer.QUIVER));
    put(object, "memcached_gbps", result.gigabytesPerSecond(Peer.MEMCACHED));
    put(object, "redis_gbps", result.redisGigabytesPerSecond());
    put(object, "nginx_gbps", result.gigabytesPerSecond(Peer.NGINX));
    put(object, "reference_gbps", result.gigabytesPerSecond(Peer.REFERENCE));
    PeerSpeed quiver = result.speeds().get(Peer.QUIVER);
    put(
        object,
        "server_cpu_s_per_gb",
        quiver == null ? null : quiver.serverCpuSecondsPerGigabyte());
    put(
        object,
        "client_cpu_s_per_gb",
        quiver == null ? null : quiver.clientCpuSecondsPerGigabyte());
    put(object, "redis_mget_gbps", result.gigabytesPerSecond(Peer.REDIS_MGET));
    put(object, "redis_pipelined_gbps", result.gigabytesPerSecond(Peer.REDIS_PIPELINED));
    put(object, "quiver_java_gbps", result.gigabytesPerSecond(Peer.QUIVER_JAVA));
    put(object, "iperf3_gbps", result.gigabytesPerSecond(Peer.IPERF3));
    writeProcessorTime(result, object.putObject("cpu_s_per_gb"));
  }

  private static void writeProcessorTime(ServeResult result, ObjectNode object) {
    result
        .speeds()
        .forEach((peer, speed) -> {
          ObjectNode sides = object.putObject(peer.label());
          put(sides, "server", speed.serverCpuSecondsPerGigabyte());
          put(sides, "client", speed.clientCpuSecondsPerGigabyte());
        });
  }

  private static void put(ObjectNode object, String name, @Nullable Double value) {
    if (value == null || value.isNaN()) {
      object.putNull(name);
    } else {
      object.put(name, Math.round(value * 1000) / 1000.0);
    }
  }
}
