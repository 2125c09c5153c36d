package io.quiver.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives a server that was told no name one of its own. Plans place blobs by the names of servers,
 * so a name stays with the data: it lies beside the blobs and does not change with host or port.
 */
public final class ServerName {
  private static final String FILE = "quiver.name";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,128}");
  private static final int HOST_CHARACTERS = 63;

  private ServerName() {}

  /**
   * Returns the name that lies in one of these directories, or a new one, and writes it to all of
   * them.
   */
  public static String of(List<Path> directories) throws NodeException {
    @Nullable String known = null;
    for (Path directory : directories) {
      known = known == null ? read(Disks.ensure(directory).resolve(FILE)) : known;
    }
    String name = known == null ? fresh() : known;
    for (Path directory : directories) {
      write(directory.resolve(FILE), name);
    }
    return name;
  }

  private static @Nullable String read(Path file) throws NodeException {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      String name = Files.readString(file, StandardCharsets.UTF_8).strip();
      if (!NAME.matcher(name).matches()) {
        throw new NodeException(
            file + " holds no name of a server; delete it, or give one with --name");
      }
      return name;
    } catch (IOException e) {
      throw new NodeException("cannot read the server's name from " + file + ": " + e, e);
    }
  }

  private static void write(Path file, String name) throws NodeException {
    if (Files.exists(file)) {
      return;
    }
    Path whole = file.resolveSibling(FILE + ".new");
    try {
      Files.writeString(whole, name + "\n");
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new NodeException("cannot write the server's name to " + file + ": " + e, e);
    }
  }

  /** Makes a name of the host, for people, and random digits, for uniqueness. */
  private static String fresh() {
    byte[] random = new byte[4];
    new SecureRandom().nextBytes(random);
    return host() + "-" + HexFormat.of().formatHex(random);
  }

  private static String host() {
    try {
      String name = InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
      String plain = name.replaceAll("[^a-z0-9-].*", "");
      return plain.isEmpty()
          ? "server"
          : plain.substring(0, Math.min(HOST_CHARACTERS, plain.length()));
    } catch (UnknownHostException e) {
      return "server";
    }
  }
}
