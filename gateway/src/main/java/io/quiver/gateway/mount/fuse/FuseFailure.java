package io.quiver.gateway.mount.fuse;

/** Ends a request with an error number. It has no stack trace: most are everyday answers. */
public final class FuseFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final FuseErrno errno;

  public FuseFailure(FuseErrno errno) {
    super(errno.name(), null, false, false);
    this.errno = errno;
  }

  /** Returns what the program is told. */
  public FuseErrno errno() {
    return errno;
  }
}
