package io.quiver.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What was built from which commit, as stamped by the build. */
public final class Version implements IVersionProvider {
  /** The released version, for example {@code 0.1.0}. */
  public static String number() {
    return stamped("version");
  }

  /** The commit the build was made from, or {@code unknown}. */
  public static String revision() {
    return stamped("revision");
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "quiver " + number() + " (" + revision() + "), Java " + Runtime.version().feature()
    };
  }

  private static String stamped(String key) {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("/io/quiver/cli/version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      return "unknown";
    }
    return properties.getProperty(key, "unknown");
  }
}
