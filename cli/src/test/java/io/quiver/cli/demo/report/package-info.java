/** Tests of the demo. */
@NullMarked
package io.quiver.cli.demo.report;

import org.jspecify.annotations.NullMarked;
