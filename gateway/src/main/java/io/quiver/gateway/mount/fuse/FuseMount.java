package io.quiver.gateway.mount.fuse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file system that is mounted, from the mount to the end of its last thread. */
public final class FuseMount implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FuseMount.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Path program;
  private final Path target;
  private final MountHelper helper;
  private final FuseServer server;
  private final KernelNotices notices;
  private final AtomicBoolean closed = new AtomicBoolean();

  private FuseMount(Path program, Path target, MountHelper helper, FuseServer server) {
    this.program = program;
    this.target = target;
    this.helper = helper;
    this.server = server;
    this.notices = KernelNotices.start(helper.device());
  }

  /**
   * Mounts a file system at a folder.
   *
   * @param program the mount helper, {@code fusermount3}
   * @param options options of the mount, separated by commas
   */
  public static FuseMount open(
      Path program, Path target, String options, FuseFileSystem files, FuseSettings settings)
      throws IOException, InterruptedException {
    MountHelper helper = MountHelper.mount(program, target, options);
    FuseServer server = FuseServer.start(helper.device(), files, settings);
    FuseMount mount = new FuseMount(program, target, helper, server);
    boolean started = false;
    try {
      started = server.awaitStart(PATIENCE);
    } finally {
      if (!started) {
        mount.close();
      }
    }
    if (!started) {
      throw new IOException(
          "the kernel did not answer within "
              + PATIENCE.toSeconds()
              + " s after the mount at "
              + target
              + "; its log (dmesg) may say why");
    }
    return mount;
  }

  /** Waits until the file system is unmounted, whoever does it. */
  public void awaitEnd() throws InterruptedException {
    server.awaitEnd();
  }

  /** Lets the kernel forget a name in a folder, soon; it then asks for it again. */
  public void forgetName(long folder, byte[] name) {
    notices.forgetName(folder, name);
  }

  /** Unmounts. Files that are open somewhere end with errors. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      notices.close();
      if (!server.awaitEnd(Duration.ZERO)) {
        unmount();
      }
      helper.close();
      if (!server.awaitEnd(PATIENCE)) {
        log.warn(
            "{} is unmounted, but files of it are still open; their reads end with this process",
            target);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void unmount() throws InterruptedException {
    if (!run("-u") && !server.awaitEnd(Duration.ZERO)) {
      log.info("{} is in use; it disappears now and ends when its last file is closed", target);
      run("-uz");
    }
  }

  /** Runs the helper; returns true if it succeeded. */
  private boolean run(String flags) throws InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(program.toString(), flags, "--", target.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.PIPE)
              .start();
    } catch (IOException failure) {
      log.warn("{} cannot be started to unmount {}: {}", program, target, failure.getMessage());
      return false;
    }
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return false;
    }
    if (process.exitValue() != 0) {
      log.debug("{} {} {}: {}", program, flags, target, output(process));
    }
    return process.exitValue() == 0;
  }

  private static String output(Process process) {
    try {
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException unreadable) {
      return "no word of why";
    }
  }
}
