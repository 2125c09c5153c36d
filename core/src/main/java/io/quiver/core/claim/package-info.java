/**
 * Claims: which job fetches a blob that several jobs miss. Pure bookkeeping; whoever uses it
 * supplies the time and the lock.
 */
@NullMarked
package io.quiver.core.claim;

import org.jspecify.annotations.NullMarked;
