/** Shows jobs and their results: bars while they run, tables and documents when they have ended. */
@NullMarked
package io.quiver.cli.job;

import org.jspecify.annotations.NullMarked;
