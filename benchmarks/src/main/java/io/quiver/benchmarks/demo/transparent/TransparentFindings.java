package io.quiver.benchmarks.demo.transparent;

import java.util.Optional;
import java.util.function.ToDoubleBiFunction;

/** Compares the runs with each other. */
final class TransparentFindings {
  private final TransparentResult result;

  TransparentFindings(TransparentResult result) {
    this.result = result;
  }

  /** Returns how many times faster all readers together are than with LRU; 0 while unknown. */
  double speedUpOverLru() {
    return compared(
        TransparentMode.LRU, (lru, streams) -> lru.totalSeconds() / streams.totalSeconds());
  }

  /** Returns the time of the reader that gains least, no cache = 1; 0 while unknown. */
  double slowestOverNone() {
    return compared(
        TransparentMode.NONE,
        (none, streams) -> {
          double worst = 0;
          for (Reader reader : Reader.values()) {
            worst = Math.max(worst, streams.seconds(reader) / none.seconds(reader));
          }
          return worst;
        });
  }

  private double compared(
      TransparentMode with,
      ToDoubleBiFunction<TransparentResult.Run, TransparentResult.Run> figure) {
    Optional<TransparentResult.Run> other = result.run(with);
    Optional<TransparentResult.Run> streams = result.run(TransparentMode.STREAMS);
    return other.isEmpty() || streams.isEmpty()
        ? 0
        : figure.applyAsDouble(other.get(), streams.get());
  }
}
