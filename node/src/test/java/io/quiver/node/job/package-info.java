/** Tests of training jobs without a GPU. */
@NullMarked
package io.quiver.node.job;

import org.jspecify.annotations.NullMarked;
