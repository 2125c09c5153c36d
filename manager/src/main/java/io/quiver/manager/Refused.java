package io.quiver.manager;

/** A report or question the manager does not answer with a plan; the message says why. */
public final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  /** The reasons of a refusal. */
  public enum Reason {
    /** Another job or server of that name runs, or others contradict it. */
    NAME_TAKEN,
    /** It cannot be true. */
    INVALID,
    /** There are too many. */
    FULL,
    /** Nobody of that name has reported. */
    UNKNOWN,
    /** Not now. */
    BUSY
  }

  private final Reason reason;

  /** Says what and why. */
  public Refused(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Returns the reason of the refusal. */
  public Reason reason() {
    return reason;
  }
}
