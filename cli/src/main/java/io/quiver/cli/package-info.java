/** The quiver command. */
@NullMarked
package io.quiver.cli;

import org.jspecify.annotations.NullMarked;
