package io.quiver.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The identities a server knows: bearer tokens and names in client certificates, each with a role.
 * Tokens are kept as SHA-256 hashes only and compared in constant time.
 *
 * <p>A line of the file is {@code TOKEN ROLE NAME}, {@code sha256:HEX ROLE NAME} or {@code cert
 * ROLE NAME}; the last gives a role to the certificate with this common or alternative name, or to
 * every trusted one if the name is {@code *}. Empty lines and those that begin with # are skipped.
 */
public final class Tokens {
  /** Shorter tokens can be guessed. */
  static final int MIN_TOKEN = 16;

  private static final String HASHED = "sha256:";
  private static final String CERTIFICATE = "cert";
  private static final String ANY_NAME = "*";
  private static final int MAX_LINES = 10_000;

  private final Map<Long, Entry> byHash = new HashMap<>();
  private final Map<String, Identity> byCertificate = new HashMap<>();

  private static final class Entry {
    private final byte[] hash;
    private final Identity identity;

    Entry(byte[] hash, Identity identity) {
      this.hash = hash;
      this.identity = identity;
    }
  }

  private Tokens() {}

  /**
   * Reads a file of identities.
   *
   * @throws IOException if it cannot be read or a line makes no sense; tokens are not in the
   *     message
   */
  public static Tokens read(Path file) throws IOException {
    Tokens tokens = new Tokens();
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    if (lines.size() > MAX_LINES) {
      throw new IOException(file + " has more than " + MAX_LINES + " lines");
    }
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        try {
          tokens.add(line.split("\\s+"));
        } catch (IllegalArgumentException e) {
          throw new IOException(
              file + ", line " + (i + 1) + ": " + e.getMessage() + "; write: TOKEN ROLE NAME", e);
        }
      }
    }
    return tokens;
  }

  private void add(String[] words) {
    if (words.length != 3) {
      throw new IllegalArgumentException("a line has three words, not " + words.length);
    }
    Identity identity = new Identity(words[2], Role.parse(words[1]));
    if (words[0].equals(CERTIFICATE)) {
      if (byCertificate.putIfAbsent(words[2], identity) != null) {
        throw new IllegalArgumentException("the certificate " + words[2] + " has a role already");
      }
      return;
    }
    if (!words[0].startsWith(HASHED) && words[0].length() < MIN_TOKEN) {
      throw new IllegalArgumentException(
          "the token of " + words[2] + " has less than " + MIN_TOKEN + " characters");
    }
    add(words[0].startsWith(HASHED) ? hash(words[0], words[2]) : sha256(words[0]), identity);
  }

  private void add(byte[] hash, Identity identity) {
    if (byHash.putIfAbsent(key(hash), new Entry(hash, identity)) != null) {
      throw new IllegalArgumentException(
          "the token of " + identity.name() + " is in the file already");
    }
  }

  private static byte[] hash(String word, String name) {
    byte[] hash = new byte[0];
    try {
      hash = HexFormat.of().parseHex(word.substring(HASHED.length()));
    } catch (IllegalArgumentException e) {
      // Told below, without what stands there.
    }
    if (hash.length != 32) {
      throw new IllegalArgumentException("the hash of " + name + "'s token is not 64 hex digits");
    }
    return hash;
  }

  /** Returns who has this token, or null. */
  @Nullable Identity byToken(String token) {
    byte[] hash = sha256(token);
    Entry entry = byHash.get(key(hash));
    return entry != null && MessageDigest.isEqual(entry.hash, hash) ? entry.identity : null;
  }

  /** Returns who has a certificate with these names, or null. */
  @Nullable Identity byCertificate(List<String> names) {
    for (String name : names) {
      Identity identity = byCertificate.get(name);
      if (identity != null && !name.equals(ANY_NAME)) {
        return identity;
      }
    }
    Identity any = names.isEmpty() ? null : byCertificate.get(ANY_NAME);
    return any == null ? null : new Identity(names.getFirst(), any.role());
  }

  private static long key(byte[] hash) {
    return ByteBuffer.wrap(hash).getLong();
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
