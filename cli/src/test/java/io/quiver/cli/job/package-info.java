/** Tests of training jobs without a GPU. */
@NullMarked
package io.quiver.cli.job;

import org.jspecify.annotations.NullMarked;
