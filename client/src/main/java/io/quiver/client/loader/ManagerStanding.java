package io.quiver.client.loader;

import io.quiver.core.engine.ReadRules;
import io.quiver.http.ControlClient;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a job stands with the manager: whether it answered lately, and whether it refuses the job.
 * Says once what went wrong, and once that it is over. Goes by a steady clock that is passed in.
 */
final class ManagerStanding {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerStanding.class);
  private static final int CONFLICT = 409;

  private final String job;
  private final String authority;
  private final LongSupplier nanoTime;
  private boolean everMet;
  private long lastContact;
  private boolean silent;
  private int refusedWith;
  private String complaint = "";

  /** What the manager says of a request it refuses. */
  record Complaint(String error) {}

  ManagerStanding(String job, String authority, LongSupplier nanoTime) {
    this.job = job;
    this.authority = authority;
    this.nanoTime = nanoTime;
  }

  /** Whether the manager answered lately. */
  synchronized boolean reachable() {
    return everMet && nanoTime.getAsLong() - lastContact < ReadRules.UNREACHABLE_AFTER.toNanos();
  }

  /** Whether another job has the name. */
  synchronized boolean isRefused() {
    return refusedWith == CONFLICT;
  }

  /** Why the manager refused the last report. */
  synchronized String complaint() {
    return complaint;
  }

  /** It answered. */
  synchronized void met() {
    if (silent || refusedWith != 0) {
      LOG.warn("job {}: the manager at {} answers again", job, authority);
    }
    lastContact = nanoTime.getAsLong();
    everMet = true;
    silent = false;
    refusedWith = 0;
  }

  /** It refused a request. */
  synchronized void refused(ControlClient.Answer answer) {
    int before = refusedWith;
    refusedWith = answer.status();
    complaint =
        "job "
            + job
            + ": the manager at "
            + authority
            + " refuses it ("
            + answer.status()
            + "): "
            + said(answer)
            + (isRefused() ? "; wait for the other job to end or choose another name" : "");
    // A job that is refused before it began is told so by an exception.
    boolean told = isRefused() && !everMet;
    if (!told && refusedWith != before) {
      LOG.warn("{}", complaint);
    }
  }

  private static String said(ControlClient.Answer answer) {
    try {
      return String.valueOf(ControlJson.read(answer.body(), Complaint.class).error());
    } catch (MalformedDocument e) {
      return "no reason given";
    }
  }

  /** It did not answer. */
  synchronized void lost(Exception reason) {
    if (!silent) {
      silent = true;
      LOG.warn(
          "job {}: the manager at {} does not answer ({}); going on without it",
          job,
          authority,
          reason.toString());
    }
  }
}
