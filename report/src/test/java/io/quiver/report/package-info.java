/** Tests of how sizes and times are written and read. */
@NullMarked
package io.quiver.report;

import org.jspecify.annotations.NullMarked;
