/** The servers that are measured side by side: how each is started, filled and asked. */
@NullMarked
package io.quiver.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
