package io.quiver.simulator.igt;

import io.quiver.simulator.keep.Evicting;

/** Keeps nothing: every read goes to the store. */
final class EmptyCache implements Evicting {
  @Override
  public boolean read(long key, long bytes) {
    return false;
  }

  @Override
  public boolean holds(long key) {
    return false;
  }

  @Override
  public long usedBytes() {
    return 0;
  }
}
