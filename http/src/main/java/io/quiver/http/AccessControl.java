package io.quiver.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who makes a request, and refuses it if that role may not make it. A bearer token counts
 * before a client certificate. Without identities everybody may do everything: open mode.
 */
public final class AccessControl {
  /** Open mode. */
  public static final AccessControl OPEN = new AccessControl(null);

  private static final String SCHEME = "bearer ";

  private final @Nullable Supplier<Tokens> tokens;

  private AccessControl(@Nullable Supplier<Tokens> tokens) {
    this.tokens = tokens;
  }

  /** Knows the identities of a file, which is read again when it changes. */
  public static AccessControl of(Path file) throws IOException {
    return new AccessControl(ReloadedFiles.load(List.of(file), () -> Tokens.read(file)));
  }

  /** Returns true if nobody is told apart. */
  public boolean isOpen() {
    return tokens == null;
  }

  /**
   * Returns who calls, or null for a call that needs no identity and shows none.
   *
   * @throws Refusal if the caller is unknown or has the wrong role
   */
  @Nullable Identity identify(Exchange exchange, Route route) throws Refusal {
    Supplier<Tokens> known = tokens;
    if (known == null) {
      return Identity.ANYBODY;
    }
    Identity identity = identity(exchange, known.get());
    if (route.roles().isEmpty()) {
      return identity;
    }
    if (identity == null) {
      throw Refusal.of(
          401,
          "this call needs an identity",
          "send Authorization: Bearer TOKEN with a token of the server's file, or use a client"
              + " certificate that is in it",
          "WWW-Authenticate",
          "Bearer");
    }
    if (identity.role() != Role.OPERATOR && !route.roles().contains(identity.role())) {
      throw Refusal.of(
          403,
          identity.name() + " has the role " + identity.role().label(),
          "this call is for " + roles(route));
    }
    return identity;
  }

  private @Nullable Identity identity(Exchange exchange, Tokens known) throws Refusal {
    String field = exchange.field("Authorization");
    if (field == null) {
      return known.byCertificate(exchange.certificateNames());
    }
    Identity identity = null;
    if (field.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      identity = known.byToken(field.substring(SCHEME.length()).strip());
    }
    if (identity == null) {
      throw Refusal.of(
          401,
          "the token is not known",
          "send Authorization: Bearer TOKEN with a token of the server's file",
          "WWW-Authenticate",
          "Bearer error=\"invalid_token\"");
    }
    return identity;
  }

  private static String roles(Route route) {
    Set<Role> roles = EnumSet.of(Role.OPERATOR);
    roles.addAll(route.roles());
    return String.join(" or ", roles.stream().map(Role::label).toList());
  }
}
