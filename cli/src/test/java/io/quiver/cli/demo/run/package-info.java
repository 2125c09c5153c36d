/** Tests of the demo. */
@NullMarked
package io.quiver.cli.demo.run;

import org.jspecify.annotations.NullMarked;
