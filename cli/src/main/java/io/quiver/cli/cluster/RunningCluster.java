package io.quiver.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.ServerAddress;
import io.quiver.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The cache servers a command works with.
 *
 * <p>An address is either a server or a node's status page; a node stands for all servers that
 * follow its manager.
 */
public final class RunningCluster implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final Duration TRANSFER = Duration.ofMinutes(5);

  private final HttpClient http;
  private final Optional<Path> trust;
  private final List<ServerAddress> servers = new ArrayList<>();

  private RunningCluster(HttpClient http, Optional<Path> trust) {
    this.http = http;
    this.trust = trust;
  }

  /** Asks every address what it is. */
  public static RunningCluster find(List<URI> addresses, Optional<Path> trust)
      throws CommandFailure, InterruptedException {
    HttpClient.Builder http =
        HttpClient.newBuilder().connectTimeout(CONNECT).version(HttpClient.Version.HTTP_1_1);
    if (trust.isPresent()) {
      http.sslContext(Trust.of(trust.get()));
    }
    RunningCluster cluster = new RunningCluster(http.build(), trust);
    try {
      Set<ServerAddress> found = new LinkedHashSet<>();
      for (URI address : addresses) {
        found.addAll(Membership.behind(cluster, address));
      }
      cluster.servers.addAll(Membership.distinct(List.copyOf(found)));
      return cluster;
    } catch (CommandFailure | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** Returns the addresses of the servers. */
  public List<URI> servers() {
    return servers.stream().map(ServerAddress::uri).toList();
  }

  /** A client of all the servers, which places blobs where jobs look for them. */
  public CacheClient client() {
    ClientConfig config =
        ClientConfig.of(servers()).withConnectTimeout(CONNECT).withRequestTimeout(TRANSFER);
    CacheClient client = CacheClient.connect(trust.map(config::withTrust).orElse(config));
    client.changeServers(servers);
    return client;
  }

  /** A document of one server. */
  JsonNode json(URI server, String path) throws CommandFailure, InterruptedException {
    return parse(server, text(server, path));
  }

  /** A page of one server. */
  String text(URI server, String path) throws CommandFailure, InterruptedException {
    HttpResponse<String> answer = send(server, HttpRequest.newBuilder(uri(server, path)).GET());
    if (answer.statusCode() != 200) {
      throw notQuiver(server, "status " + answer.statusCode());
    }
    return answer.body();
  }

  /** Deletes something at one server; empty if it was not there. */
  Optional<JsonNode> delete(URI server, String path) throws CommandFailure, InterruptedException {
    HttpResponse<String> answer = send(server, HttpRequest.newBuilder(uri(server, path)).DELETE());
    return switch (answer.statusCode()) {
      case 200 -> Optional.of(parse(server, answer.body()));
      case 404 -> Optional.empty();
      default -> throw notQuiver(server, "status " + answer.statusCode());
    };
  }

  private static JsonNode parse(URI server, String body) throws CommandFailure {
    try {
      return Json.parse(body);
    } catch (IllegalArgumentException e) {
      throw notQuiver(server, "something that is not JSON");
    }
  }

  private static URI uri(URI server, String path) {
    String base = server.toString();
    return URI.create(
        base.endsWith("/") ? base.substring(0, base.length() - 1) + path : base + path);
  }

  private HttpResponse<String> send(URI server, HttpRequest.Builder request)
      throws CommandFailure, InterruptedException {
    try {
      return http.send(request.timeout(ANSWER).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw Addresses.unreachable(server, e);
    }
  }

  private static CommandFailure notQuiver(URI server, String answer) {
    return new CommandFailure(
        ExitCode.FAILED,
        server + " answered with " + answer + "; is it a quiver server? (--server)");
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
