package io.quiver.gateway.door.metadata;

import io.quiver.gateway.door.metadata.MetadataCache.Question;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks equal questions once: whoever asks while the answer is on its way gets that answer. A
 * question that began too long ago is not joined, so no answer is older than the freshness window.
 *
 * @param <K> the question
 * @param <V> the answer
 */
final class SharedQuestions<K, V> {
  private final ReentrantLock lock;
  private final long freshNanos;
  private final LongSupplier nanoTime;
  // Both guarded by the lock. Only the latest question of a key can be joined.
  private final Map<K, UnderWay<K, V>> latest = new HashMap<>();
  private final Set<UnderWay<K, V>> underWay = new HashSet<>();

  /** Keeps an answer; called with the lock held, and not for answers that a write has outdated. */
  @FunctionalInterface
  interface Keeping<V> {
    /** Takes an answer, null for a failure, and the time of its question. */
    void keep(@Nullable V answer, @Nullable Exception failure, long askedAt);
  }

  /** A question under way. */
  private static final class UnderWay<K, V> {
    private final K key;
    private final long askedAt;
    private final CompletableFuture<V> answer = new CompletableFuture<>();
    private boolean outdated;

    private UnderWay(K key, long askedAt) {
      this.key = key;
      this.askedAt = askedAt;
    }
  }

  SharedQuestions(ReentrantLock lock, long freshNanos, LongSupplier nanoTime) {
    this.lock = lock;
    this.freshNanos = freshNanos;
    this.nanoTime = nanoTime;
  }

  /**
   * Asks, or waits for the answer to the same question of somebody else.
   *
   * @param known returns an answer that was kept in the meantime, or null; called with the lock
   *     held
   */
  V ask(K key, Supplier<@Nullable V> known, Question<V> question, Keeping<V> keeping)
      throws IOException {
    while (true) {
      UnderWay<K, V> mine = new UnderWay<>(key, nanoTime.getAsLong());
      UnderWay<K, V> other = join(key, mine, known);
      if (other == null) {
        return lead(key, mine, question, keeping);
      }
      try {
        return await(key, other);
      } catch (InterruptedIOException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
        // The one who asked was interrupted, which is no answer for anybody else.
      }
    }
  }

  /**
   * Asks, whoever else asks the same: for those who hold what the others may wait for. Others may
   * join this question.
   */
  V askAlone(K key, Question<V> question, Keeping<V> keeping) throws IOException {
    UnderWay<K, V> mine = new UnderWay<>(key, nanoTime.getAsLong());
    lock.lock();
    try {
      latest.putIfAbsent(key, mine);
      underWay.add(mine);
    } finally {
      lock.unlock();
    }
    return lead(key, mine, question, keeping);
  }

  private @Nullable UnderWay<K, V> join(K key, UnderWay<K, V> mine, Supplier<@Nullable V> known) {
    lock.lock();
    try {
      UnderWay<K, V> other = latest.get(key);
      if (other != null && mine.askedAt - other.askedAt < freshNanos) {
        return other;
      }
      V kept = known.get();
      if (kept != null) {
        mine.answer.complete(kept);
        return mine;
      }
      latest.put(key, mine);
      underWay.add(mine);
      return null;
    } finally {
      lock.unlock();
    }
  }

  private V lead(K key, UnderWay<K, V> mine, Question<V> question, Keeping<V> keeping)
      throws IOException {
    V answer;
    try {
      answer = question.ask();
    } catch (IOException | RuntimeException e) {
      end(key, mine, () -> keeping.keep(null, e, mine.askedAt));
      mine.answer.completeExceptionally(e);
      throw e;
    } catch (Error e) {
      end(key, mine, () -> {});
      mine.answer.completeExceptionally(e);
      throw e;
    }
    end(key, mine, () -> keeping.keep(answer, null, mine.askedAt));
    mine.answer.complete(answer);
    return answer;
  }

  private void end(K key, UnderWay<K, V> mine, Runnable keep) {
    lock.lock();
    try {
      latest.remove(key, mine);
      underWay.remove(mine);
      if (!mine.outdated) {
        keep.run();
      }
    } finally {
      lock.unlock();
    }
  }

  private V await(K key, UnderWay<K, V> other) throws IOException {
    try {
      return other.answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException stopped =
          new InterruptedIOException("interrupted while waiting for what the store says of " + key);
      stopped.initCause(e);
      throw stopped;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("asking the store for " + key + " failed", e.getCause());
    }
  }

  /**
   * Marks questions under way as outdated: their answers go to those who wait, and are neither kept
   * nor given to anybody who asks from now on. The caller holds the lock.
   */
  void outdate(Predicate<K> which) {
    latest.keySet().removeIf(which);
    for (UnderWay<K, V> question : underWay) {
      question.outdated |= which.test(question.key);
    }
  }
}
