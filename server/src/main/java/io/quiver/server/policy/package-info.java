/**
 * Spaces that look after themselves: policies between the calls of the server and its blob store,
 * for caches that follow no plan.
 */
@NullMarked
package io.quiver.server.policy;

import org.jspecify.annotations.NullMarked;
