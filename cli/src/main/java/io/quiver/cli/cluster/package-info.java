/**
 * Running cache servers as the commands see them: finding them, asking them, reading their state.
 */
@NullMarked
package io.quiver.cli.cluster;

import org.jspecify.annotations.NullMarked;
