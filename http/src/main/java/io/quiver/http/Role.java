package io.quiver.http;

import java.util.Locale;
import java.util.Set;

/** The rights of a caller. An operator may call everything. */
public enum Role {
  /** A training job: reads, claims and inserts blobs, and follows the manager's plans. */
  JOB,
  /** A cache server: reports to the manager and follows its plans. */
  SERVER,
  /** A door for unmodified programs: has a job's rights, and binds names to hashes. */
  DOOR,
  /** A person or tool that looks but changes nothing. */
  VIEWER,
  /** A person or tool that runs the cluster. */
  OPERATOR;

  /** Stands in a route's roles for calls that need no identity. */
  public static final Set<Role> EVERYBODY = Set.of();

  /**
   * Reads a role as people write it.
   *
   * @throws IllegalArgumentException if there is no such role
   */
  public static Role parse(String text) {
    for (Role role : values()) {
      if (role.label().equals(text)) {
        return role;
      }
    }
    throw new IllegalArgumentException(
        "no role is named " + text + "; there are job, server, door, viewer and operator");
  }

  /** Returns the role as people write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
