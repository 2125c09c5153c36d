package io.quiver.gateway.mount;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Logs each trouble once a minute at most, so that a failing store does not fill the disk. */
final class TroubleLog {
  private static final int MOST = 1000;
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final LongSupplier nanoTime;
  private final Map<String, Long> said =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST;
        }
      };

  TroubleLog(Logger log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
  }

  /** Warns, unless these words were said a moment ago. */
  void warn(String words) {
    if (isNews(words, PAUSE_NANOS)) {
      log.warn("{}", words);
    }
  }

  /** Warns, unless these words are among the last ones said. */
  void warnOnce(String words) {
    if (isNews(words, Long.MAX_VALUE)) {
      log.warn("{}", words);
    }
  }

  private synchronized boolean isNews(String words, long pauseNanos) {
    long now = nanoTime.getAsLong();
    Long before = said.get(words);
    if (before != null && now - before < pauseNanos) {
      return false;
    }
    said.put(words, now);
    return true;
  }
}
