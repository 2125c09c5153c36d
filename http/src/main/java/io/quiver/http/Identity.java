package io.quiver.http;

/**
 * The maker of a request.
 *
 * @param name for logs; from the file of tokens or from the certificate
 * @param role what it may do
 */
public record Identity(String name, Role role) {
  /** Everybody, at a server that tells nobody apart. */
  public static final Identity ANYBODY = new Identity("anybody", Role.OPERATOR);
}
