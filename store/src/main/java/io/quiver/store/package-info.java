/**
 * The contract of a blob store. Implementations live in sub-packages: {@code ssd} for production,
 * {@code memory} and {@code faulty} for tests and tools. Nothing here speaks a network protocol or
 * holds credentials of a remote store.
 */
@NullMarked
package io.quiver.store;

import org.jspecify.annotations.NullMarked;
