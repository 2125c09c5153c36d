/**
 * Training jobs without a GPU: loops that take batches and work on each for as long as a GPU would,
 * their ledgers, going on after an interruption, and bringing a data set into the cache ahead of
 * time. Commands and the demo run these; nothing here knows about options.
 */
@NullMarked
package io.quiver.node.job;

import org.jspecify.annotations.NullMarked;
