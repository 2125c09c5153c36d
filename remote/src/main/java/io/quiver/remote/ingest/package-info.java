/**
 * Builds digests from remote stores, and verifies and compares them.
 *
 * <p>Works through {@link io.quiver.remote.RemoteStore} only and knows nothing of any particular
 * kind of store. What must be remembered for millions of items lies in files beside the output, not
 * in memory.
 */
@NullMarked
package io.quiver.remote.ingest;

import org.jspecify.annotations.NullMarked;
