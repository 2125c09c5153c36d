package io.quiver.client.transport;

import java.time.Duration;

/**
 * How one server is talked to.
 *
 * @param connections most connections at a time
 * @param connectTimeout longest wait for a connection
 * @param requestTimeout longest time for one exchange, retries included
 * @param idleTimeout how long an unused connection is kept
 * @param retries how often a failed request is sent again
 * @param shortestRest how long a server is left alone after its first failure
 * @param longestRest how long it is left alone at most
 */
public record LinkConfig(
    int connections,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration idleTimeout,
    int retries,
    Duration shortestRest,
    Duration longestRest) {}
