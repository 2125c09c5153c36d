/** Presents the demo's results: as a table, as a document for scripts, and as a page with plots. */
@NullMarked
package io.quiver.benchmarks.demo.report;

import org.jspecify.annotations.NullMarked;
