package io.quiver.client.buffer;

import io.quiver.client.buffer.BufferPool.Lease;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tracks every open lease without keeping it alive. Not thread-safe: the pool's lock guards it. */
final class LeakWatch {
  private final boolean paranoid;
  private final ReferenceQueue<Lease> lost = new ReferenceQueue<>();
  // Keyed by memory, which lives in one lease at a time.
  private final Map<Memory, Loan> loans = new HashMap<>();

  LeakWatch(boolean paranoid) {
    this.paranoid = paranoid;
  }

  void lent(Lease lease) {
    Throwable origin = paranoid ? new Throwable("answer that was not closed") : null;
    loans.put(lease.memory(), new Loan(lease, lost, origin));
  }

  void returned(Lease lease) {
    Loan loan = loans.remove(lease.memory());
    if (loan != null) {
      loan.clear();
    }
  }

  /** Returns the capacity of the next lease that was forgotten, or zero when there is none. */
  int nextForgotten() {
    Reference<? extends Lease> loan = lost.poll();
    if (!(loan instanceof Loan forgotten) || !loans.remove(forgotten.memory, forgotten)) {
      return 0;
    }
    return forgotten.memory.capacity();
  }

  int outstanding() {
    return loans.size();
  }

  List<Throwable> origins() {
    List<Throwable> origins = new ArrayList<>();
    for (Loan loan : loans.values()) {
      if (loan.origin != null) {
        origins.add(loan.origin);
      }
    }
    return origins;
  }

  /** Outlives a forgotten lease and reports it. */
  private static final class Loan extends PhantomReference<Lease> {
    private final Memory memory;
    private final @Nullable Throwable origin;

    Loan(Lease lease, ReferenceQueue<Lease> lost, @Nullable Throwable origin) {
      super(lease, lost);
      this.memory = lease.memory();
      this.origin = origin;
    }
  }
}
