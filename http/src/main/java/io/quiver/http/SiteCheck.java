package io.quiver.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what a web page of another site makes somebody's browser send.
 *
 * <p>A page may send requests anywhere, and its browser says in {@code Origin} which site it is of.
 * A page may also have its own name lead to this server's address; then the browser takes the
 * server for the page's site, and only {@code Host} shows it. So a server that tells nobody apart
 * takes no public name in {@code Host} but its own. Addresses, {@code localhost} and names without
 * a dot never belong to a site of the Internet.
 */
public final class SiteCheck {
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(?::\\d{0,5})?");
  private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  private final boolean anyName;
  private final Set<String> ownNames = new HashSet<>();
  private volatile String accepted = "";
  private @Nullable Set<String> machineNames;

  /**
   * Makes a check.
   *
   * @param anyName true if callers are told apart by what no page has: tokens or certificates
   */
  public SiteCheck(boolean anyName) {
    this.anyName = anyName;
  }

  /** Adds a name that clients use for this server. */
  public void addName(String name) {
    ownNames.add(name.toLowerCase(Locale.ROOT));
  }

  /**
   * Lets a request pass.
   *
   * @throws Refusal if a page of another site may have made it
   */
  public void check(Exchange exchange) throws Refusal {
    String host = exchange.field("Host");
    String origin = exchange.field("Origin");
    if (host != null && !host.equals(accepted)) {
      checkHost(host);
      accepted = host;
    }
    if (origin != null && !isSame(origin, host)) {
      throw Refusal.of(
          403,
          "the request comes from a web page of another site",
          "call the server from a program, or from a page that the server itself sends");
    }
  }

  private static boolean isSame(String origin, @Nullable String host) {
    int authority = origin.indexOf("://");
    return authority > 0 && origin.substring(authority + 3).equalsIgnoreCase(host);
  }

  private void checkHost(String host) throws Refusal {
    Matcher match = HOST.matcher(host);
    if (!match.matches()) {
      throw Refusal.of(400, "the Host field is malformed", "send a name or address and a port");
    }
    String name = match.group(1).toLowerCase(Locale.ROOT);
    if (!anyName && isPublic(name) && !ownNames.contains(name) && !isOfMachine(name)) {
      throw Refusal.of(
          403,
          "this server is not known by the name in the Host field",
          "use its address, start it with --advertise and this name, or give it --token-file");
    }
  }

  private static boolean isPublic(String name) {
    return name.indexOf('.') >= 0
        && !name.startsWith("[")
        && !name.endsWith(".localhost")
        && !ADDRESS.matcher(name).matches();
  }

  /** Asks the system for this machine's names, once and only if somebody needs to know. */
  private synchronized boolean isOfMachine(String name) {
    @Nullable Set<String> names = machineNames;
    if (names == null) {
      try {
        InetAddress own = InetAddress.getLocalHost();
        names = new HashSet<>();
        names.add(own.getHostName().toLowerCase(Locale.ROOT));
        names.add(own.getCanonicalHostName().toLowerCase(Locale.ROOT));
      } catch (UnknownHostException e) {
        names = Set.of();
      }
      machineNames = names;
    }
    return names.contains(name);
  }
}
