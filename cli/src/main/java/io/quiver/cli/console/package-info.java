/**
 * The command's side of the terminal: streams, exit codes, errors and progress, for people and for
 * scripts.
 */
@NullMarked
package io.quiver.cli.console;

import org.jspecify.annotations.NullMarked;
