package io.quiver.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.client.ServerFailure;
import io.quiver.http.ClientCredentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;

/** Addresses of servers: reading them, and what to say when nobody is there. */
public final class Addresses {
  private static final Set<String> ANY = Set.of("0.0.0.0", "[::]", "[0:0:0:0:0:0:0:0]");

  private Addresses() {}

  /** Reads {@code http://host:port}, or {@code host:port} for short. */
  public static URI parse(String text) {
    String full = text.contains("://") ? text : "http://" + text;
    URI address;
    try {
      address = URI.create(full);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(notAnAddress(text), e);
    }
    String path = address.getPath();
    boolean web = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
    boolean bare = path == null || path.isEmpty() || path.equals("/");
    if (!web || address.getHost() == null || address.getPort() < 1 || !bare) {
      throw new IllegalArgumentException(notAnAddress(text));
    }
    return URI.create(address.getScheme() + "://" + address.getAuthority());
  }

  /** Returns what the environment and this file of certificates make a client show and trust. */
  public static ClientCredentials credentials(Console console, Optional<Path> trust)
      throws CommandFailure {
    try {
      ClientCredentials own = ClientCredentials.of(console.environment());
      return trust.map(own::withTrust).orElse(own);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  private static String notAnAddress(String text) {
    return "not an address: \"" + text + "\"; write http://host:port or host:port";
  }

  /** A server that listens on every address is reached where its node was. */
  static URI reachable(URI server, URI node) {
    if (!ANY.contains(server.getHost())) {
      return server;
    }
    return URI.create(server.getScheme() + "://" + node.getHost() + ":" + server.getPort());
  }

  /** Returns the failure of a call that the caller may not make. */
  static CommandFailure denied(URI address, JsonNode refusal) {
    return new CommandFailure(
        ExitCode.FAILED,
        address
            + " refuses: "
            + refusal.path("error").asText("no reason given")
            + "; "
            + refusal.path("remedy").asText()
            + " ($"
            + ClientCredentials.TOKEN_FILE
            + " or $"
            + ClientCredentials.TOKEN
            + ")");
  }

  static CommandFailure unreachable(URI server, IOException cause) {
    String reason =
        cause instanceof SSLException
            ? " securely (" + cause.getMessage() + "); give its certificate with --ca"
            : "; start one with ./quiver up, or name another with --server";
    return new CommandFailure(
        ExitCode.UNREACHABLE, "no server answers at " + server + reason, cause);
  }

  /** The failure of a command whose servers failed it. */
  public static CommandFailure of(List<ServerFailure> failures) {
    ServerFailure first = failures.getFirst();
    ExitCode exit =
        switch (first.kind()) {
          case UNREACHABLE, TIMEOUT, BROKEN, RESTING -> ExitCode.UNREACHABLE;
          default -> ExitCode.FAILED;
        };
    return new CommandFailure(
        exit,
        first.server()
            + " failed ("
            + first.kind().name().toLowerCase(Locale.ROOT)
            + "): "
            + first.reason()
            + (failures.size() > 1 ? "; and " + (failures.size() - 1) + " more" : ""));
  }
}
