package io.quiver.client.loader;

import io.quiver.core.hash.ContentHash;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A short name of a store, the same for all jobs that read it: what they read at the same time they
 * share. Made from where it is and its bucket, without user or password, and does not tell either.
 */
final class StoreIdentity {
  private static final int DIGITS = 12;

  private StoreIdentity() {}

  static String of(String store) {
    byte[] place = place(store).getBytes(StandardCharsets.UTF_8);
    return ContentHash.ofContent(ByteBuffer.wrap(place)).toHex().substring(0, DIGITS);
  }

  private static String place(String store) {
    try {
      URI uri = new URI(store);
      String path = String.valueOf(uri.getPath()).replaceFirst("^/+", "");
      String authority = uri.getHost() == null ? "" : uri.getHost() + ":" + uri.getPort();
      return uri.getScheme() + "://" + authority + "/" + path.split("/", 2)[0];
    } catch (URISyntaxException e) {
      return "other";
    }
  }
}
