package io.quiver.cli.command;

import io.quiver.cli.command.DoorOptions.OpenDoor;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.gateway.mount.Mount;
import io.quiver.gateway.mount.MountConfig;
import io.quiver.gateway.mount.MountException;
import io.quiver.report.Paint;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a bucket or a folder as a folder that is read through the cache. */
@Command(
    name = "mount",
    description = {
      "Mount a bucket or a folder, to be read through the cache.",
      "Programs see a read-only folder: nothing has to be changed in them. The command stays until"
          + " Ctrl-C or until somebody unmounts the folder. Linux only; needs the package fuse3."
    },
    footer = {
      "  quiver mount s3://bucket/train /mnt/train",
      "  quiver mount s3://bucket/train /mnt/train --cache http://cache-host:7400",
      "  quiver mount /slow/nfs/train /mnt/train --digest train.qdg &   # shares what loaders cached",
      "  fusermount3 -u /mnt/train                                      # unmounts and ends it",
      "",
      "With --json, one line as soon as the folder can be read: {\"mount\": folder, \"pid\": n}"
    })
public final class MountCommand extends Action {
  private static final int LONGEST_SECONDS = 86_400;
  private static final double NANOS = 1e9;

  @Parameters(index = "0", paramLabel = "<uri>", description = "Address of the bucket or folder.")
  private String store;

  @Parameters(index = "1", paramLabel = "<dir>", description = "Empty folder to mount at.")
  private Path target;

  @Mixin private final DoorOptions door = new DoorOptions();

  @Option(
      names = "--freshness-s",
      paramLabel = "<seconds>",
      defaultValue = "60",
      description =
          "Longest time until a change in the store is seen; 0 asks the store at every open, 86400"
              + " suits data that never changes (default: ${DEFAULT-VALUE}).")
  private double freshnessSeconds;

  @Option(names = "--allow-other", description = "Let other users of this machine read it too.")
  private boolean othersAllowed;

  @ArgGroup(exclusive = false, heading = "%nRemote stores:%n")
  private RemoteOptions remote = new RemoteOptions();

  @Override
  ExitCode run(Output output) throws Exception {
    if (!(freshnessSeconds >= 0 && freshnessSeconds <= LONGEST_SECONDS)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--freshness-s " + freshnessSeconds + " makes no sense; use 0 to " + LONGEST_SECONDS);
    }
    // An answer may grow old in the door first and in the kernel then: each has half of the time.
    Duration half = Duration.ofNanos((long) (freshnessSeconds * NANOS / 2));
    Mount mount;
    OpenDoor opened = door.open("mount", store, half, remote.config(), output);
    try {
      mount =
          Mount.open(
              opened.door(), target, MountConfig.of(store, half).withOthersAllowed(othersAllowed));
    } catch (MountException refused) {
      opened.close();
      throw new CommandFailure(ExitCode.FAILED, String.valueOf(refused.getMessage()), refused);
    } catch (Exception failure) {
      opened.close();
      throw failure;
    }
    announce(mount, output);
    return UntilStopped.serve(
        output,
        () -> {
          mount.close();
          opened.close();
        },
        mount::awaitEnd);
  }

  private void announce(Mount mount, Output output) {
    if (output.json()) {
      output.document(new Ready(mount.target().toString(), ProcessHandle.current().pid()));
      return;
    }
    Paint paint = output.console().outPaint();
    output.line(paint.strong(store) + " is mounted at " + paint.name(mount.target().toString()));
    output.line(paint.faint("Ctrl-C unmounts it."));
    output.flush();
  }

  private record Ready(String mount, long pid) {}
}
