package io.quiver.remote.ingest;

import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.Cut.ItemSink;
import io.quiver.remote.ingest.IngestOptions.ItemRules;
import java.io.IOException;
import java.io.InputStream;

/** Cuts an object that is one item. */
record WholeObjectCut(RemoteStore store, RemoteObject object, ItemRules rules) implements Cut {
  private static final byte[] NO_NAME = {};

  @Override
  public void run(Hasher hasher, ItemSink sink) throws IOException, InterruptedException {
    if (!rules.admits(object.size(), object.name())) {
      sink.emptySkipped(1);
      return;
    }
    if (object.size() > 0) {
      read(hasher);
    }
    sink.add(hasher.finish(), object.size(), 0, -1, NO_NAME);
  }

  // Reads to the end and not only as far as the listing says: a file that grew meanwhile is told
  // from one that did not.
  private void read(Hasher hasher) throws IOException {
    try (InputStream in = store.open(object.name(), 0, -1)) {
      long found = hasher.update(in, object.size());
      if (found != object.size() || in.read() >= 0) {
        throw new IngestException(
            "'%s' changed while it was read: it was listed with %d bytes and %s; run again"
                .formatted(
                    object.name(),
                    object.size(),
                    found < object.size() ? "ended after " + found : "has more"));
      }
    }
  }
}
