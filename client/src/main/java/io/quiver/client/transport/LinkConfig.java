package io.quiver.client.transport;

import java.time.Duration;

/**
 * Settings of the link to one server.
 *
 * @param connections most connections at a time
 * @param connectTimeout longest wait for a connection
 * @param requestTimeout longest time for one exchange, retries included
 * @param idleTimeout the time an unused connection is kept
 * @param retries the most times a failed request is sent again
 * @param shortestRest the time a server is left alone after its first failure
 * @param longestRest the longest time it is left alone
 */
public record LinkConfig(
    int connections,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration idleTimeout,
    int retries,
    Duration shortestRest,
    Duration longestRest) {}
