/** Counts the server's work and shows it in Prometheus' text format. */
@NullMarked
package io.quiver.server.metrics;

import org.jspecify.annotations.NullMarked;
