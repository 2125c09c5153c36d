package io.quiver.client.loader;

import io.quiver.core.engine.ReadRules;
import io.quiver.http.ControlClient;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers when a manager answered last and if managers refuse the job. Logs a failure once, and
 * its end once. The steady clock is passed in.
 */
final class ManagerHealth {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerHealth.class);
  private static final int CONFLICT = 409;

  private final String job;
  private final String managers;
  private final LongSupplier nanoTime;
  private boolean everMet;
  private long lastContact;
  private boolean silent;
  private int refusedWith;

  /** The reason that a manager gives for a refusal, and what to do about it. */
  record Complaint(@Nullable String error, @Nullable String remedy) {}

  ManagerHealth(String job, String managers, LongSupplier nanoTime) {
    this.job = job;
    this.managers = managers;
    this.nanoTime = nanoTime;
  }

  /** Returns true if a manager answered lately. */
  synchronized boolean reachable() {
    return everMet && nanoTime.getAsLong() - lastContact < ReadRules.UNREACHABLE_AFTER.toNanos();
  }

  /** Returns true if another job has the name. */
  synchronized boolean isNameTaken() {
    return refusedWith == CONFLICT;
  }

  /** Notes an answer. */
  synchronized void met() {
    if (silent || refusedWith != 0) {
      LOG.warn("job {}: a manager answers again at {}", job, managers);
    }
    lastContact = nanoTime.getAsLong();
    everMet = true;
    silent = false;
    refusedWith = 0;
  }

  /** Notes that a request was refused. */
  synchronized void refused(ControlClient.Answer answer) {
    int before = refusedWith;
    refusedWith = answer.status();
    if (refusedWith != before) {
      LOG.warn(
          "job {}: the manager at {} refuses it ({}): {}",
          job,
          managers,
          answer.status(),
          reason(answer));
    }
  }

  private static String reason(ControlClient.Answer answer) {
    try {
      Complaint said = ControlJson.read(answer.body(), Complaint.class);
      return said.error() + (said.remedy() == null ? "" : "; " + said.remedy());
    } catch (MalformedDocument e) {
      return "no reason given";
    }
  }

  /** Notes that no manager answered. */
  synchronized void lost(Exception reason) {
    if (!silent) {
      silent = true;
      LOG.warn(
          "job {}: no manager answers at {} ({}); {} until one does",
          job,
          managers,
          reason.getMessage() == null ? "no connection" : reason.getMessage(),
          everMet ? "the job keeps the plan it has" : "the job reads from the store");
    }
  }
}
