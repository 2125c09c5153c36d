package io.quiver.simulator.igt.prefetch;

import io.quiver.core.stream.PrefetchAdvice.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes every wish and writes it down as file and block. */
final class Recorder implements Prefetcher.Fetcher {
  final List<String> wishes = new ArrayList<>();
  private final Set<String> held = new HashSet<>();
  private final StoredFiles files;
  long now;

  Recorder(StoredFiles files) {
    this.files = files;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public Outcome ahead(int file, int block) {
    if (file >= files.count() || block >= files.blocks(file)) {
      return Outcome.FAILED;
    }
    String wish = file + "/" + block;
    if (!held.add(wish)) {
      return Outcome.HELD;
    }
    wishes.add(wish);
    return Outcome.FETCHED;
  }

  @Override
  public int fillRoom() {
    return 4;
  }

  @Override
  public Outcome fill(int file, int block) {
    return ahead(file, block);
  }
}
