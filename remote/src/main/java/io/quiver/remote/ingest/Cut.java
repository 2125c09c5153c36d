package io.quiver.remote.ingest;

import java.io.IOException;

/** Cuts one object, or one slice of a large one, into items and hashes them. */
interface Cut {
  void run(Hasher hasher, ItemSink sink) throws IOException, InterruptedException;
}
