package io.quiver.cli.console;

import io.quiver.node.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** Prints version, commit and Java release for {@code --version}. */
public final class VersionLine implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "quiver "
          + BuildVersion.number()
          + " ("
          + BuildVersion.revision()
          + "), Java "
          + Runtime.version().feature()
    };
  }
}
