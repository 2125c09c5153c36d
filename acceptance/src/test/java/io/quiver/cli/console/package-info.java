/** Tests of this package. */
@NullMarked
package io.quiver.cli.console;

import org.jspecify.annotations.NullMarked;
