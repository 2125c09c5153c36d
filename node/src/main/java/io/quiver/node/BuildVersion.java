package io.quiver.node;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Names the version and the commit this program was built from, as stamped by the build. */
public final class BuildVersion {
  private static final String UNKNOWN = "unknown";

  private BuildVersion() {}

  /** Returns the released version, for example {@code 0.1.0}. */
  public static String number() {
    return stamped("version");
  }

  /** Returns the commit the build was made from, or {@code unknown}. */
  public static String revision() {
    return stamped("revision");
  }

  private static String stamped(String key) {
    Properties properties = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      return UNKNOWN;
    }
    return properties.getProperty(key, UNKNOWN);
  }
}
