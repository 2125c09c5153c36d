package io.quiver.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Makes names that no other job has, in this process, on this host or elsewhere. */
public final class JobNames {
  private static final int LONGEST_HOST = 30;
  private static final int LONGEST_NAME = 80;
  private static final String HOST = host();

  private JobNames() {}

  /** Returns a name of these words, the host's and a random part. */
  public static String unique(String words) {
    return words + "-" + HOST + "-" + random();
  }

  /** Returns another name for a job whose name is taken. */
  public static String another(String taken) {
    return shortened(taken, LONGEST_NAME) + "-" + random();
  }

  // Containers share process ids, and often host names too.
  private static String random() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  }

  private static String host() {
    try {
      String name = InetAddress.getLocalHost().getHostName();
      return shortened(name.replaceAll("[^A-Za-z0-9._-]", "-"), LONGEST_HOST);
    } catch (UnknownHostException e) {
      return "host";
    }
  }

  private static String shortened(String text, int length) {
    return text.substring(0, Math.min(text.length(), length));
  }
}
