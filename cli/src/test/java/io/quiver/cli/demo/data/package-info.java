/** Tests of the demo. */
@NullMarked
package io.quiver.cli.demo.data;

import org.jspecify.annotations.NullMarked;
