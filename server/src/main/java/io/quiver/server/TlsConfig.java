package io.quiver.server;

import java.nio.file.Path;

/**
 * Where the server's certificate and private key lie.
 *
 * @param certificateChain PEM file: the server's certificate first, then its issuers
 * @param privateKey PEM file: an unencrypted PKCS#8 key, RSA or EC
 */
public record TlsConfig(Path certificateChain, Path privateKey) {}
