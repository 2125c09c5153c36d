/** Tests of this package. */
@NullMarked
package io.quiver.cli.node;

import org.jspecify.annotations.NullMarked;
