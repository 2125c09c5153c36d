package io.quiver.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.http.ClientCredentials;
import io.quiver.http.ControlClient;
import io.quiver.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;

/** Asks a cache manager, and tells it what people want. */
public final class ManagerClient implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration ANSWER = Duration.ofSeconds(10);

  private final ControlClient client;
  private final String managers;

  /** Makes a client of the managers at these addresses, which are tried in order. */
  public ManagerClient(List<URI> managers, ClientCredentials credentials) throws CommandFailure {
    this.managers = String.join(", ", managers.stream().map(URI::toString).toList());
    try {
      this.client = new ControlClient(managers, credentials, CONNECT);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns a document of the manager's. */
  public JsonNode get(String path) throws CommandFailure, InterruptedException {
    try {
      return read(path, client.get(path, ANSWER));
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /** Sends a document; returns the answer. */
  public JsonNode post(String path, Object document) throws CommandFailure, InterruptedException {
    try {
      byte[] json = Json.line(document).getBytes(StandardCharsets.UTF_8);
      return read(path, client.post(path, json, ANSWER));
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private CommandFailure unreachable(IOException e) {
    String reason =
        e instanceof SSLException
            ? " securely (" + e.getMessage() + "); give its certificate with --ca"
            : "; start one with ./quiver up, or name another with --manager";
    return new CommandFailure(
        ExitCode.UNREACHABLE, "no manager answers at " + managers + reason, e);
  }

  private JsonNode read(String path, ControlClient.Answer answer) throws CommandFailure {
    JsonNode document;
    try {
      document = Json.parse(new String(answer.body(), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw notManager(ExitCode.FAILED, "something that is not JSON");
    }
    String reason = document.path("error").asText();
    return switch (answer.status()) {
      case 200 -> document;
      case 401, 403 -> throw Addresses.denied(client.address(), document);
      case 404 -> throw notManager(ExitCode.USAGE, "status 404 to " + path);
      default ->
          throw answer.status() == 400 && !reason.isEmpty()
              ? new CommandFailure(ExitCode.USAGE, reason)
              : notManager(ExitCode.FAILED, "status " + answer.status() + " to " + path);
    };
  }

  private CommandFailure notManager(ExitCode exit, String answer) {
    return new CommandFailure(
        exit,
        client.address()
            + " answers with "
            + answer
            + "; name the status page of quiver up with --manager");
  }

  @Override
  public void close() {
    client.close();
  }
}
