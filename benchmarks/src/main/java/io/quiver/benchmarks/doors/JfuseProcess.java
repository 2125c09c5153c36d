package io.quiver.benchmarks.doors;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.cryptomator.jfuse.api.DirFiller;
import org.cryptomator.jfuse.api.Errno;
import org.cryptomator.jfuse.api.FileInfo;
import org.cryptomator.jfuse.api.Fuse;
import org.cryptomator.jfuse.api.FuseBuilder;
import org.cryptomator.jfuse.api.FuseOperations;
import org.cryptomator.jfuse.api.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The bare mount that ours is measured beside: jfuse answers from memory, as little as it can do.
 *
 * <p>Arguments: the folder to mount at, the number of files, the bytes of each. Prints a line when
 * it is ready and ends when its standard input does.
 */
public final class JfuseProcess {
  private static final String[] LIBRARIES = {
    "/usr/lib/x86_64-linux-gnu/libfuse3.so.3",
    "/usr/lib/aarch64-linux-gnu/libfuse3.so.3",
    "/usr/lib64/libfuse3.so.3",
    "/usr/lib/libfuse3.so.3"
  };

  private JfuseProcess() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    Path target = Path.of(arguments[0]);
    MadeFiles files = new MadeFiles(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
    FuseBuilder builder = Fuse.builder();
    for (String library : LIBRARIES) {
      if (Files.exists(Path.of(library))) {
        builder.setLibraryPath(library);
        break;
      }
    }
    String options = "ro,auto_cache,auto_unmount,attr_timeout=60,entry_timeout=60";
    try (Fuse fuse = builder.build(new Memory(files, builder.errno()))) {
      fuse.mount("bare", target, "-o", options);
      System.out.println("ready");
      System.out.flush();
      MountProcess.awaitEndOfInput();
    }
  }

  /** The operations that reading needs. */
  private record Memory(MadeFiles files, Errno errno) implements FuseOperations {
    private static final int FOLDER = 0040555;
    private static final int FILE = 0100444;

    @Override
    public Set<Operation> supportedOperations() {
      return Set.of(
          Operation.GET_ATTR,
          Operation.OPEN,
          Operation.READ,
          Operation.READ_DIR,
          Operation.RELEASE);
    }

    @Override
    public int getattr(String path, Stat stat, @Nullable FileInfo info) {
      if (path.equals("/")) {
        stat.setMode(FOLDER);
        stat.setNLink((short) 1);
        return 0;
      }
      if (files.number(path.substring(1)) < 0) {
        return -errno.enoent();
      }
      stat.setMode(FILE);
      stat.setNLink((short) 1);
      stat.setSize(files.bytes());
      return 0;
    }

    @Override
    public int open(String path, FileInfo info) {
      int number = files.number(path.substring(1));
      info.setFh(number);
      return number < 0 ? -errno.enoent() : 0;
    }

    @Override
    public int read(String path, ByteBuffer target, long size, long offset, FileInfo info) {
      int length = (int) Math.min(size, Math.max(0, files.bytes() - offset));
      files.copy((int) info.getFh(), offset, target.limit(length));
      return length;
    }

    @Override
    public int readdir(String path, DirFiller filler, long offset, FileInfo info, int flags) {
      for (int i = (int) offset; i < files.count(); i++) {
        if (filler.fill(MadeFiles.name(i), stat -> stat.setMode(FILE), i + 1L, 0) != 0) {
          break;
        }
      }
      return 0;
    }
  }
}
