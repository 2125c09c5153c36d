package io.quiver.client;

/**
 * Counters of a client since its creation.
 *
 * @param requests HTTP requests sent, retries included
 * @param hits blobs received
 * @param misses hashes that were not to be had, also those of failed servers
 * @param bytesReceived payload bytes of the hits
 * @param bytesSent payload bytes of puts that got receipts
 * @param retries requests sent again after a failure
 * @param failures parts of calls that ended without an answer from their server
 * @param mismatches blobs whose bytes did not pass verification
 * @param connectionsOpened connections made
 */
public record ClientStatistics(
    long requests,
    long hits,
    long misses,
    long bytesReceived,
    long bytesSent,
    long retries,
    long failures,
    long mismatches,
    long connectionsOpened) {}
