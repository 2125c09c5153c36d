package io.quiver.client.link;

import io.quiver.core.engine.ReadRules;
import io.quiver.http.ControlClient;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers when a manager answered last and if managers refuse a member. Logs a failure once, and
 * its end once. The steady clock is passed in.
 */
public final class ManagerHealth {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerHealth.class);
  private static final int CONFLICT = 409;

  private final String member;
  private final String managers;
  private final LongSupplier nanoTime;
  private boolean everMet;
  private long lastContact;
  private boolean silent;
  private int refusedWith;

  /** The reason that a manager gives for a refusal, and what to do about it. */
  record Complaint(@Nullable String error, @Nullable String remedy) {}

  /**
   * Begins without a contact.
   *
   * @param member who reports, as in "job resnet"
   * @param managers the addresses, for messages
   */
  public ManagerHealth(String member, String managers, LongSupplier nanoTime) {
    this.member = member;
    this.managers = managers;
    this.nanoTime = nanoTime;
  }

  /** Returns true if a manager answered lately. */
  public synchronized boolean reachable() {
    return everMet && nanoTime.getAsLong() - lastContact < ReadRules.UNREACHABLE_AFTER.toNanos();
  }

  /** Returns true if another member has the name. */
  public synchronized boolean isNameTaken() {
    return refusedWith == CONFLICT;
  }

  /** Notes an answer. */
  public synchronized void met() {
    if (silent || refusedWith != 0) {
      LOG.warn("{}: a manager answers again at {}", member, managers);
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
          "{}: the manager at {} refuses it ({}): {}",
          member,
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
  public synchronized void lost(Exception reason) {
    if (!silent) {
      silent = true;
      LOG.warn(
          "{}: no manager answers at {} ({}); {} until one does",
          member,
          managers,
          reason.getMessage() == null ? "no connection" : reason.getMessage(),
          everMet ? "it keeps the plan it has" : "it reads from the store");
    }
  }
}
