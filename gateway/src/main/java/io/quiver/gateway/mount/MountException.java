package io.quiver.gateway.mount;

import java.io.IOException;

/** Tells why a folder cannot be mounted, and what to do about it. */
public final class MountException extends IOException {
  private static final long serialVersionUID = 1;

  public MountException(String message) {
    super(message);
  }
}
