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
 * Holds all settings of a client. Immutable: {@link #of} returns the usual values, and every {@code
 * with} a copy with another value.
 */
public final class ClientConfig implements Cloneable {
  /** Most connections to one server. */
  public static final int MAX_CONNECTIONS = 1024;

  /** Most retries of one request. */
  public static final int MAX_RETRIES = 16;

  private static final Duration MAX_TIMEOUT = Duration.ofHours(1);

  private final List<URI> servers;
  private String job = JobNames.unique("client");
  private String dataset = "";
  private String rankingJob = "";
  private int connectionsPerServer = 8;
  private Duration connectTimeout = Duration.ofSeconds(2);
  private Duration requestTimeout = Duration.ofSeconds(10);
  private int retries = 2;
  private long maxBlobBytes = Wire.DEFAULT_MAX_BLOB_BYTES;
  private long bufferBytes = 512L << 20;
  private ClientCredentials credentials = ClientCredentials.of(System.getenv());
  private boolean paranoid;

  private ClientConfig(List<URI> servers) {
    this.servers = List.copyOf(servers);
    requireServers(servers);
  }

  private void check() {
    requireHeader("job", job, 1);
    requireHeader("data set", dataset, 0);
    requireHeader("ranking job", rankingJob, 0);
    requireRange("connections per server", connectionsPerServer, 1, MAX_CONNECTIONS);
    requireTimeout("connect timeout", connectTimeout);
    requireTimeout("request timeout", requestTimeout);
    requireRange("retries", retries, 0, MAX_RETRIES);
    requireRange("longest blob in bytes", maxBlobBytes, 0, Integer.MAX_VALUE - (1 << 20));
    requireRange("buffer bytes", bufferBytes, 1 << 20, Long.MAX_VALUE);
  }

  /** Returns the usual settings for these servers; credentials are those of the environment. */
  public static ClientConfig of(List<URI> servers) {
    return new ClientConfig(servers);
  }

  private ClientConfig changed(Consumer<ClientConfig> change) {
    try {
      ClientConfig copy = (ClientConfig) clone();
      change.accept(copy);
      copy.check();
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  public ClientConfig withJob(String value) {
    return changed(copy -> copy.job = value);
  }

  public ClientConfig withDataset(String value) {
    return changed(copy -> copy.dataset = value);
  }

  public ClientConfig withRankingJob(String value) {
    return changed(copy -> copy.rankingJob = value);
  }

  public ClientConfig withConnectionsPerServer(int value) {
    return changed(copy -> copy.connectionsPerServer = value);
  }

  public ClientConfig withConnectTimeout(Duration value) {
    return changed(copy -> copy.connectTimeout = value);
  }

  public ClientConfig withRequestTimeout(Duration value) {
    return changed(copy -> copy.requestTimeout = value);
  }

  public ClientConfig withRetries(int value) {
    return changed(copy -> copy.retries = value);
  }

  public ClientConfig withMaxBlobBytes(long value) {
    return changed(copy -> copy.maxBlobBytes = value);
  }

  public ClientConfig withBufferBytes(long value) {
    return changed(copy -> copy.bufferBytes = value);
  }

  /** Returns a copy that trusts the certificates in this PEM file, and no others. */
  public ClientConfig withTrust(Path pem) {
    return withCredentials(credentials.withTrust(pem));
  }

  public ClientConfig withCredentials(ClientCredentials value) {
    return changed(copy -> copy.credentials = value);
  }

  public ClientConfig withParanoid(boolean value) {
    return changed(copy -> copy.paranoid = value);
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

  /**
   * Returns the servers as {@code http://host:port} or {@code https://host:port}. Every client of a
   * cluster must spell them alike, because {@code host:port} decides the server that owns a blob.
   */
  public List<URI> servers() {
    return servers;
  }

  /** Returns the name of the job, which owns the claims. */
  public String job() {
    return job;
  }

  /** Returns the data set of the requests, for the servers' counters; may be empty. */
  public String dataset() {
    return dataset;
  }

  /**
   * Returns the name under which priorities are given, the same for all processes of a distributed
   * job; empty for the name of the job.
   */
  public String rankingJob() {
    return rankingJob;
  }

  /** Returns the most connections, and so the most concurrent requests, to one server. */
  public int connectionsPerServer() {
    return connectionsPerServer;
  }

  /** Returns the longest wait for a connection. */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /** Returns the longest time for one server's part of a call, retries included. */
  public Duration requestTimeout() {
    return requestTimeout;
  }

  /** Returns the most times a failed request is sent again. */
  public int retries() {
    return retries;
  }

  /** Returns the size of the largest blob that this client takes or sends. */
  public long maxBlobBytes() {
    return maxBlobBytes;
  }

  /** Returns the most memory for answers, together with what is kept for reuse. */
  public long bufferBytes() {
    return bufferBytes;
  }

  /** Returns what servers are shown, and what https servers are checked with. */
  public ClientCredentials credentials() {
    return credentials;
  }

  /**
   * Returns true for tests: every answer remembers its caller, its bytes become unreadable when it
   * is closed, and closing the client while answers are open throws.
   */
  public boolean paranoid() {
    return paranoid;
  }
}
