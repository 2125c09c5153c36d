/** Plots as pictures that need nothing else: lines over time, spans, bars, and their keys. */
@NullMarked
package io.quiver.report.plot;

import org.jspecify.annotations.NullMarked;
