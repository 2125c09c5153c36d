/** Reads data sets from local folders. Works with paths only and knows no network. */
@NullMarked
package io.quiver.remote.file;

import org.jspecify.annotations.NullMarked;
