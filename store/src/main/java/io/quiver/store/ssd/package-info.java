/** The blob store on local disks: segment files, an index in memory, recovery at start. */
@NullMarked
package io.quiver.store.ssd;

import org.jspecify.annotations.NullMarked;
