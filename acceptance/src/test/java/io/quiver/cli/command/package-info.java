/** Tests of how options are read. */
@NullMarked
package io.quiver.cli.command;

import org.jspecify.annotations.NullMarked;
