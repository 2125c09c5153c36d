/** Tests of the command as its users meet it: arguments in, streams and exit codes out. */
@NullMarked
package io.quiver.cli;

import org.jspecify.annotations.NullMarked;
