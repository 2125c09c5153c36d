package io.quiver.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks a cache manager, and tells it what people want. */
public final class ManagerClient implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration ANSWER = Duration.ofSeconds(10);

  private final URI manager;
  private final HttpClient http;

  /** A client of the manager at this address. */
  public ManagerClient(URI manager) {
    this.manager = manager;
    this.http =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
  }

  /** A document of the manager's. */
  public JsonNode get(String path) throws CommandFailure, InterruptedException {
    return send(path, HttpRequest.newBuilder(manager.resolve(path)).GET());
  }

  /** Sends a document; returns the answer. */
  public JsonNode post(String path, Object document) throws CommandFailure, InterruptedException {
    return send(
        path,
        HttpRequest.newBuilder(manager.resolve(path))
            .POST(HttpRequest.BodyPublishers.ofString(Json.line(document))));
  }

  private JsonNode send(String path, HttpRequest.Builder request)
      throws CommandFailure, InterruptedException {
    HttpResponse<String> answer;
    try {
      answer = http.send(request.timeout(ANSWER).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.UNREACHABLE,
          "no manager answers at "
              + manager
              + "; start one with ./quiver up, or name another with --manager",
          e);
    }
    JsonNode document;
    try {
      document = Json.parse(answer.body());
    } catch (IllegalArgumentException e) {
      throw notManager("something that is not JSON");
    }
    if (answer.statusCode() != 200) {
      String reason = document.path("error").asText();
      throw answer.statusCode() == 400 && !reason.isEmpty()
          ? new CommandFailure(ExitCode.USAGE, reason)
          : notManager("status " + answer.statusCode() + " to " + path);
    }
    return document;
  }

  private CommandFailure notManager(String answer) {
    return new CommandFailure(
        ExitCode.FAILED,
        manager + " answered with " + answer + "; is it the status page of quiver up? (--manager)");
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
