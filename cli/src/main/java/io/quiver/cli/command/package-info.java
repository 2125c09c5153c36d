/** One class for each command: its options, its help and what it does. */
@NullMarked
package io.quiver.cli.command;

import org.jspecify.annotations.NullMarked;
