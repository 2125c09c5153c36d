/**
 * A training program to read and to run: a small network learns Fashion-MNIST through a cluster in
 * the same process. Nothing of the library depends on it.
 */
@NullMarked
package io.quiver.djl.example;

import org.jspecify.annotations.NullMarked;
