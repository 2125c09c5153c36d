/** What the server counts and how it tells: Prometheus' text format. */
@NullMarked
package io.quiver.server.metrics;

import org.jspecify.annotations.NullMarked;
