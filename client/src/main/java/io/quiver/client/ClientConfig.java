package io.quiver.client;

import io.quiver.client.transport.ServerEndpoint;
import io.quiver.http.ClientCredentials;
import io.quiver.protocol.Wire;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Settings of a client.
 *
 * @param servers {@code http://host:port} or {@code https://host:port}; every client of a cluster
 *     must spell them alike, because {@code host:port} decides which server owns a blob
 * @param job the name of the job, which holds the claims
 * @param dataset the data set of the requests, for the servers' counters; may be empty
 * @param connectionsPerServer most connections, and so most requests under way, at one server
 * @param connectTimeout longest wait for a connection
 * @param requestTimeout longest time a server may take for its part of a call, from the question to
 *     the last byte, retries included
 * @param retries the most times a failed request is sent again
 * @param maxBlobBytes longest blob this client takes or sends
 * @param bufferBytes most memory for answers, together with what is kept for reuse
 * @param credentials how servers learn who asks, and what https servers are checked against
 * @param paranoid for tests: every answer remembers who asked for it, its bytes become unreadable
 *     when it is closed, and closing the client while answers are open throws
 */
public record ClientConfig(
    List<URI> servers,
    String job,
    String dataset,
    int connectionsPerServer,
    Duration connectTimeout,
    Duration requestTimeout,
    int retries,
    long maxBlobBytes,
    long bufferBytes,
    ClientCredentials credentials,
    boolean paranoid) {
  /** Most connections to one server. */
  public static final int MAX_CONNECTIONS = 1024;

  /** Most retries of one request. */
  public static final int MAX_RETRIES = 16;

  private static final Duration MAX_TIMEOUT = Duration.ofHours(1);

  public ClientConfig {
    servers = List.copyOf(servers);
    requireServers(servers);
    requireHeader("job", job, 1);
    requireHeader("data set", dataset, 0);
    requireRange("connections per server", connectionsPerServer, 1, MAX_CONNECTIONS);
    requireTimeout("connect timeout", connectTimeout);
    requireTimeout("request timeout", requestTimeout);
    requireRange("retries", retries, 0, MAX_RETRIES);
    requireRange("longest blob in bytes", maxBlobBytes, 0, Integer.MAX_VALUE - (1 << 20));
    requireRange("buffer bytes", bufferBytes, 1 << 20, Long.MAX_VALUE);
  }

  /** Returns defaults for these servers; credentials are those of the environment. */
  public static ClientConfig of(List<URI> servers) {
    return new ClientConfig(
        servers,
        "job-" + Long.toHexString(ProcessHandle.current().pid()),
        "",
        8,
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        2,
        Wire.DEFAULT_MAX_BLOB_BYTES,
        512L << 20,
        ClientCredentials.of(System.getenv()),
        false);
  }

  /** Returns a copy with this job name. */
  public ClientConfig withJob(String value) {
    return changed(draft -> draft.job = value);
  }

  /** Returns a copy with this data set name. */
  public ClientConfig withDataset(String value) {
    return changed(draft -> draft.dataset = value);
  }

  /** Returns a copy with at most this many connections to each server. */
  public ClientConfig withConnectionsPerServer(int value) {
    return changed(draft -> draft.connectionsPerServer = value);
  }

  /** Returns a copy with this longest wait for a connection. */
  public ClientConfig withConnectTimeout(Duration value) {
    return changed(draft -> draft.connectTimeout = value);
  }

  /** Returns a copy with this longest time for one server's part of a call. */
  public ClientConfig withRequestTimeout(Duration value) {
    return changed(draft -> draft.requestTimeout = value);
  }

  /** Returns a copy with this many retries. */
  public ClientConfig withRetries(int value) {
    return changed(draft -> draft.retries = value);
  }

  /** Returns a copy with this longest blob. */
  public ClientConfig withMaxBlobBytes(long value) {
    return changed(draft -> draft.maxBlobBytes = value);
  }

  /** Returns a copy with this much memory for answers. */
  public ClientConfig withBufferBytes(long value) {
    return changed(draft -> draft.bufferBytes = value);
  }

  /** Returns a copy that trusts the certificates in this PEM file, and no others. */
  public ClientConfig withTrust(Path pem) {
    return withCredentials(credentials.withTrust(pem));
  }

  /** Returns a copy that shows these credentials. */
  public ClientConfig withCredentials(ClientCredentials value) {
    return changed(draft -> draft.credentials = value);
  }

  /** Returns a copy with paranoid leak detection on or off. */
  public ClientConfig withParanoid(boolean value) {
    return changed(draft -> draft.paranoid = value);
  }

  private static void requireServers(List<URI> servers) {
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("no server; name at least one, as http://host:port");
    }
    Set<String> ids = new HashSet<>();
    for (URI server : servers) {
      boolean scheme = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
      String path = server.getRawPath();
      boolean bare = path == null || path.isEmpty() || path.equals("/");
      if (!scheme
          || server.getHost() == null
          || !bare
          || server.getRawQuery() != null
          || server.getUserInfo() != null) {
        throw new IllegalArgumentException(
            "not a server: " + server + "; write http://host:port or https://host:port");
      }
      if (!ids.add(ServerEndpoint.of(server).id())) {
        throw new IllegalArgumentException("server " + server + " is listed twice");
      }
    }
  }

  private static void requireHeader(String what, String value, int minimum) {
    boolean printable = value.chars().allMatch(c -> c > ' ' && c < 127);
    if (!printable || value.length() < minimum || value.length() > Wire.MAX_JOB_LENGTH) {
      throw new IllegalArgumentException(
          "not a "
              + what
              + " name: \""
              + value
              + "\"; use "
              + minimum
              + " to "
              + Wire.MAX_JOB_LENGTH
              + " printable ASCII characters without spaces");
    }
  }

  private static void requireRange(String what, long value, long minimum, long maximum) {
    if (value < minimum || value > maximum) {
      throw new IllegalArgumentException(
          what + " is " + value + "; it must be " + minimum + " to " + maximum);
    }
  }

  private static void requireTimeout(String what, Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          what + " is " + value + "; it must be between a millisecond and an hour");
    }
  }

  private ClientConfig changed(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finish();
  }

  /** Holds all values while one of them changes. */
  private static final class Draft {
    private List<URI> servers;
    private String job;
    private String dataset;
    private int connectionsPerServer;
    private Duration connectTimeout;
    private Duration requestTimeout;
    private int retries;
    private long maxBlobBytes;
    private long bufferBytes;
    private ClientCredentials credentials;
    private boolean paranoid;

    Draft(ClientConfig from) {
      servers = from.servers;
      job = from.job;
      dataset = from.dataset;
      connectionsPerServer = from.connectionsPerServer;
      connectTimeout = from.connectTimeout;
      requestTimeout = from.requestTimeout;
      retries = from.retries;
      maxBlobBytes = from.maxBlobBytes;
      bufferBytes = from.bufferBytes;
      credentials = from.credentials;
      paranoid = from.paranoid;
    }

    ClientConfig finish() {
      return new ClientConfig(
          servers,
          job,
          dataset,
          connectionsPerServer,
          connectTimeout,
          requestTimeout,
          retries,
          maxBlobBytes,
          bufferBytes,
          credentials,
          paranoid);
    }
  }
}
