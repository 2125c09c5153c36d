package io.quiver.client;

/** How the client convinces itself that the bytes of a hit are the right ones. */
public enum Verification {
  /** Not at all: the network's own checksums have to do. */
  NONE,
  /** By the checksum that the store recorded at insertion; cheap enough for every read. */
  CRC32C,
  /** By the hash itself: proof against everything, at about 1.5 GB/s of one core. */
  SHA256
}
