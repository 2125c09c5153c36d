/**
 * Keeps jobs and doors in touch with the cache manager: reports out, plans in. Nothing here reads
 * data, and nobody who does waits for anything here.
 */
@NullMarked
package io.quiver.client.link;

import org.jspecify.annotations.NullMarked;
