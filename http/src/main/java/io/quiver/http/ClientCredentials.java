package io.quiver.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The means by which a client shows who it is, and by which it checks whom it talks to. A token
 * comes from a file or from the environment, never from a command line, and is in no log.
 */
public final class ClientCredentials {
  /** Holds the token itself. */
  public static final String TOKEN = "QUIVER_TOKEN";

  /** Names a file that holds the token. */
  public static final String TOKEN_FILE = "QUIVER_TOKEN_FILE";

  /** Names a PEM file with the client's certificate. */
  public static final String CERTIFICATE = "QUIVER_TLS_CERT";

  /** Names a PEM file with the key of the client's certificate. */
  public static final String KEY = "QUIVER_TLS_KEY";

  /** No token, no certificate, and the platform's issuers. */
  public static final ClientCredentials NONE =
      new ClientCredentials(TlsConfig.PLATFORM, Optional::empty);

  private final TlsConfig tls;
  private final Supplier<Optional<String>> token;

  private ClientCredentials(TlsConfig tls, Supplier<Optional<String>> token) {
    this.tls = tls;
    this.token = token;
  }

  /**
   * Reads what the environment says.
   *
   * @throws IllegalArgumentException if that makes no sense; the token is not in the message
   */
  public static ClientCredentials of(Map<String, String> environment) {
    String certificate = environment.getOrDefault(CERTIFICATE, "");
    String key = environment.getOrDefault(KEY, "");
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new IllegalArgumentException(CERTIFICATE + " and " + KEY + " belong together");
    }
    TlsConfig tls =
        certificate.isEmpty()
            ? TlsConfig.PLATFORM
            : TlsConfig.server(Path.of(certificate), Path.of(key));
    String file = environment.getOrDefault(TOKEN_FILE, "");
    String text = environment.getOrDefault(TOKEN, "");
    if (!file.isEmpty()) {
      return new ClientCredentials(tls, watched(Path.of(file)));
    }
    return text.isEmpty()
        ? new ClientCredentials(tls, Optional::empty)
        : new ClientCredentials(tls, fixed(text));
  }

  private static Supplier<Optional<String>> fixed(String text) {
    Optional<String> token = Optional.of(checked(text, TOKEN));
    return () -> token;
  }

  private static Supplier<Optional<String>> watched(Path file) {
    try {
      return ReloadedFiles.load(
          List.of(file),
          () -> Optional.of(checked(Files.readString(file, StandardCharsets.UTF_8), TOKEN_FILE)));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "no token can be read from " + file + " (" + TOKEN_FILE + ")", e);
    }
  }

  private static String checked(String text, String source) {
    String token = text.strip();
    if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IllegalArgumentException(source + " has no token: one word of printable ASCII");
    }
    return token;
  }

  /** Returns a copy that trusts the issuers in this file instead of the platform's. */
  public ClientCredentials withTrust(Path issuers) {
    return new ClientCredentials(tls.withTrust(issuers), token);
  }

  /** Returns the files of the client's side of TLS. */
  public TlsConfig tls() {
    return tls;
  }

  /** Returns the value of the Authorization field; empty without a token. */
  public Optional<String> authorization() {
    return token.get().map(text -> "Bearer " + text);
  }
}
