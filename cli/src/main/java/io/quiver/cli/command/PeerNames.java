package io.quiver.cli.command;

import io.quiver.benchmarks.serve.Peer;
import java.util.Arrays;
import java.util.Iterator;

/** The names of what can be measured side by side, for help and completion. */
final class PeerNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(Peer.values()).map(Peer::label).iterator();
  }
}
