package io.quiver.gateway.s3.signature;

import io.quiver.http.ReloadedFiles;
import io.quiver.remote.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The access keys that the endpoint knows, from a file that is read again when it changes, or one
 * made at the start.
 *
 * <p>A line of the file is {@code ACCESS_KEY SECRET_KEY USER PROFILE GRANT…}, where PROFILE is
 * {@code -} for the endpoint's own credentials and a grant is {@code read:BUCKET}, {@code
 * write:BUCKET/PREFIX} or {@code read:*}. Empty lines and those that begin with # are skipped.
 */
public final class AccessKeys {
  private static final String OWN_PROFILE = "-";
  private static final int MAX_LINES = 10_000;
  private static final int MIN_SECRET = 16;
  private static final int FIRST_GRANT = 4;
  private static final String FORM =
      "; write: ACCESS_KEY SECRET_KEY USER PROFILE GRANT…, as in AKIAEXAMPLE secret alice -"
          + " read:data write:data/alice/";

  private final Supplier<Map<String, AccessKey>> keys;
  private final boolean anonymous;

  private AccessKeys(Supplier<Map<String, AccessKey>> keys, boolean anonymous) {
    this.keys = keys;
    this.anonymous = anonymous;
  }

  /**
   * Knows the keys of a file.
   *
   * @throws IOException if others can read it or a line makes no sense; secrets are not in the
   *     message
   */
  public static AccessKeys of(Path file) throws IOException {
    return new AccessKeys(ReloadedFiles.load(List.of(file), () -> read(file)), false);
  }

  /** Lets everybody read everything without a signature. Only fit for one's own machine. */
  public static AccessKeys anonymous() {
    return new AccessKeys(Map::of, true);
  }

  /** Knows one key that may do everything. */
  public static AccessKeys of(KeyPair pair) {
    AccessKey key =
        new AccessKey(
            pair.accessKey(),
            pair.secretKey(),
            "generated",
            "",
            List.of(new Grant(false, Grant.ANY_BUCKET, ""), new Grant(true, Grant.ANY_BUCKET, "")));
    return new AccessKeys(() -> Map.of(key.id(), key), false);
  }

  /** Returns true if requests need no signature. */
  public boolean areAnonymous() {
    return anonymous;
  }

  /** Returns the key with this name, or null. */
  public @Nullable AccessKey find(String id) {
    return keys.get().get(id);
  }

  private static Map<String, AccessKey> read(Path file) throws IOException {
    requireHidden(file);
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    if (lines.size() > MAX_LINES) {
      throw new IOException(file + " has more than " + MAX_LINES + " lines");
    }
    Map<String, AccessKey> found = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        try {
          add(found, line.split("\\s+"));
        } catch (IllegalArgumentException e) {
          throw new IOException(file + ", line " + (i + 1) + ": " + e.getMessage() + FORM, e);
        }
      }
    }
    return Map.copyOf(found);
  }

  private static void requireHidden(Path file) throws IOException {
    if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (permissions.contains(PosixFilePermission.OTHERS_READ)
          || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new IOException(
            file + " holds secrets and is open to every user of this machine; chmod 600 it");
      }
    }
  }

  private static void add(Map<String, AccessKey> found, String[] words) {
    if (words.length <= FIRST_GRANT) {
      throw new IllegalArgumentException("a line has at least five words, not " + words.length);
    }
    String id = words[0];
    if (!id.matches("[A-Za-z0-9._-]{3,128}")) {
      throw new IllegalArgumentException(
          "an access key has 3 to 128 letters, digits, '.', '_' and '-'");
    }
    if (words[1].length() < MIN_SECRET) {
      throw new IllegalArgumentException(
          "the secret of " + id + " has less than " + MIN_SECRET + " characters");
    }
    List<Grant> grants = new ArrayList<>();
    Arrays.stream(words).skip(FIRST_GRANT).map(Grant::parse).forEach(grants::add);
    String profile = words[3].equals(OWN_PROFILE) ? "" : words[3];
    AccessKey key = new AccessKey(id, Secret.of(words[1]), words[2], profile, grants);
    if (found.putIfAbsent(id, key) != null) {
      throw new IllegalArgumentException("the access key " + id + " is in the file already");
    }
  }

  /**
   * An access key and its secret, made for one run.
   *
   * @param accessKey the public part
   * @param secretKey the secret part
   */
  public record KeyPair(String accessKey, Secret secretKey) {
    private static final int ID_BYTES = 10;
    private static final int SECRET_BYTES = 30;

    /** Makes a pair that nobody can guess. */
    public static KeyPair generate() {
      SecureRandom random = new SecureRandom();
      StringBuilder id = new StringBuilder("QUIVER");
      for (int i = 0; i < ID_BYTES; i++) {
        id.append((char) ('A' + random.nextInt(26)));
      }
      byte[] secret = new byte[SECRET_BYTES];
      random.nextBytes(secret);
      return new KeyPair(
          id.toString(), Secret.of(Base64.getUrlEncoder().withoutPadding().encodeToString(secret)));
    }
  }
}
