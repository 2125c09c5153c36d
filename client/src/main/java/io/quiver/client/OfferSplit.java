package io.quiver.client;

import io.quiver.core.space.SpaceId;
import io.quiver.protocol.OfferFrame;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Cuts what goes to one server into offers that stay within bounds of bytes and of spaces. */
final class OfferSplit {
  /** Most payload bytes of one offer, unless a single blob is longer. */
  static final long MAX_BYTES = 16L << 20;

  private OfferSplit() {}

  static List<Owners.Group> split(Owners.Group group, List<Blob> blobs) {
    List<Owners.Group> offers = new ArrayList<>();
    Set<SpaceId> spaces = new HashSet<>();
    long bytes = 0;
    int from = 0;
    for (int i = 0; i < group.size(); i++) {
      Blob blob = blobs.get(group.place(i));
      int length = blob.content().remaining();
      boolean newSpace = !spaces.contains(blob.space());
      boolean full = newSpace && spaces.size() == OfferFrame.MAX_SPACES;
      if (i > from && (full || bytes + length > MAX_BYTES)) {
        offers.add(group.range(from, i));
        spaces.clear();
        bytes = 0;
        from = i;
      }
      spaces.add(blob.space());
      bytes += length;
    }
    offers.add(group.range(from, group.size()));
    return offers;
  }
}
