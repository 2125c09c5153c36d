/** What a simulation tells those who watch it. Watchers see facts, never the objects under test. */
@NullMarked
package io.quiver.simulator.trace;

import org.jspecify.annotations.NullMarked;
