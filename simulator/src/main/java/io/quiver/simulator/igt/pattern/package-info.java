/**
 * Measures how surely patterns of reading are recognised, on drawn reads whose pattern is known
 * (IGTCache, §5.5, Figures 14 and 15). The tests of patterns themselves live in the core.
 */
@NullMarked
package io.quiver.simulator.igt.pattern;

import org.jspecify.annotations.NullMarked;
