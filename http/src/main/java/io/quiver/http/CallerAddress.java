package io.quiver.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Tells callers apart before they say who they are: by the address they come from. What one caller
 * may hold is bounded by that, whatever names it gives.
 */
final class CallerAddress {
  /** One subscriber of IPv6 usually has a network of this many bytes to choose addresses from. */
  private static final int NETWORK_BYTES = 8;

  private CallerAddress() {}

  /** Returns the address of version 4, or the network of version 6, as text. */
  static String of(SocketAddress peer) {
    if (!(peer instanceof InetSocketAddress internet) || internet.getAddress() == null) {
      return "";
    }
    InetAddress address = internet.getAddress();
    byte[] bytes = address.getAddress();
    return bytes.length <= NETWORK_BYTES || address.isLoopbackAddress()
        ? address.getHostAddress()
        : HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES));
  }
}
