/**
 * Speaks to one server: a bounded pool of connections, retries, deadlines and a circuit breaker.
 * Plain sockets and blocking calls, made for virtual threads; the bodies of answers go from the
 * socket straight to where the caller wants them. Internal to the client.
 */
@NullMarked
package io.quiver.client.transport;

import org.jspecify.annotations.NullMarked;
