package io.quiver.http;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files of one side of TLS: certificates and a private key. All files are PEM, and are read
 * again when they change.
 *
 * @param keyPair the own certificate and its key; empty for a client that shows none
 * @param trust the issuers of acceptable peers; empty for those of the platform, and at a server
 *     for not asking clients for certificates
 */
public record TlsConfig(Optional<KeyPair> keyPair, Optional<Path> trust) {
  /** The files of a client that trusts the platform's issuers and shows no certificate. */
  public static final TlsConfig PLATFORM = new TlsConfig(Optional.empty(), Optional.empty());

  /**
   * A certificate and its private key.
   *
   * @param certificateChain the own certificate first, then its issuers
   * @param privateKey an unencrypted PKCS#8 key, RSA or EC
   */
  public record KeyPair(Path certificateChain, Path privateKey) {}

  /** Returns the files of a server with this certificate that asks clients for none. */
  public static TlsConfig server(Path certificateChain, Path privateKey) {
    return new TlsConfig(Optional.of(new KeyPair(certificateChain, privateKey)), Optional.empty());
  }

  /** Returns a copy that trusts the issuers in this file. */
  public TlsConfig withTrust(Path issuers) {
    return new TlsConfig(keyPair, Optional.of(issuers));
  }

  List<Path> files() {
    List<Path> files = new ArrayList<>();
    keyPair.ifPresent(pair -> files.addAll(List.of(pair.certificateChain, pair.privateKey)));
    trust.ifPresent(files::add);
    return files;
  }
}
