package io.quiver.gateway.mount.fuse;

/** Error numbers of Linux that a file system answers with. */
public enum FuseErrno {
  ENOENT(2),
  EIO(5),
  EACCES(13),
  ENOTDIR(20),
  EISDIR(21),
  EINVAL(22),
  EROFS(30),
  ERANGE(34),
  ENOSYS(38),
  ENODATA(61),
  ESTALE(116);

  private final int number;

  FuseErrno(int number) {
    this.number = number;
  }

  /** Returns the number the kernel knows it by. */
  int number() {
    return number;
  }
}
