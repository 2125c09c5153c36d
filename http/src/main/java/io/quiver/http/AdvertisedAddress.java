package io.quiver.http;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the address that a server tells others. It is never the wildcard: that means every
 * address of this machine to whoever listens, and the reader's own machine to whoever connects.
 */
public final class AdvertisedAddress {
  private AdvertisedAddress() {}

  /**
   * Returns the address of a server.
   *
   * @param advertised a host with or without a port, if one was chosen
   * @param listenHost what the server listens on
   * @param port what the server listens on
   */
  public static URI uri(String scheme, Optional<String> advertised, String listenHost, int port) {
    String host = advertised.orElseGet(() -> reachable(listenHost));
    boolean bare = host.chars().filter(c -> c == ':').count() > 1 && !host.startsWith("[");
    String authority = bare ? "[" + host + "]" : host;
    boolean ported = authority.matches(".*:\\d+") && !bare;
    return URI.create(scheme + "://" + authority + (ported ? "" : ":" + port));
  }

  /** Returns the names in {@code Host} by which clients may know a server. */
  public static List<String> names(String listenHost, Optional<String> advertised) {
    List<String> names = new ArrayList<>(List.of(listenHost));
    advertised.ifPresent(host -> names.add(host.replaceFirst(":\\d+$", "")));
    return names;
  }

  /** Returns the host itself, or an address of this machine where it is the wildcard. */
  static String reachable(String listenHost) {
    return isWildcard(listenHost) ? ownAddress() : listenHost;
  }

  /** Returns true if the host stands for every address of this machine. */
  public static boolean isWildcard(String host) {
    try {
      return InetAddress.getByName(host).isAnyLocalAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * Returns the address of this machine from which a peer is reached, where the system knows a way
   * to it. Nothing is sent.
   */
  public static Optional<String> toward(URI peer) {
    int port = peer.getPort() < 0 ? 80 : peer.getPort();
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(peer.getHost()), port));
      InetAddress own = socket.getLocalAddress();
      return own.isAnyLocalAddress() ? Optional.empty() : Optional.of(text(own));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // an unknown name, or no way to it
    }
  }

  /** Returns an address in the local network, another one, or the loopback's. */
  private static String ownAddress() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(AdvertisedAddress::isUp)
          .flatMap(NetworkInterface::inetAddresses)
          .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
          .min(
              Comparator.<InetAddress>comparingInt(each -> each instanceof Inet4Address ? 0 : 1)
                  .thenComparingInt(each -> each.isSiteLocalAddress() ? 0 : 1))
          .map(AdvertisedAddress::text)
          .orElse("127.0.0.1");
    } catch (SocketException e) {
      return "127.0.0.1";
    }
  }

  private static boolean isUp(NetworkInterface network) {
    try {
      return network.isUp() && !network.isVirtual();
    } catch (SocketException e) {
      return false;
    }
  }

  private static String text(InetAddress address) {
    return address.getHostAddress().replaceFirst("%.*", "");
  }
}
