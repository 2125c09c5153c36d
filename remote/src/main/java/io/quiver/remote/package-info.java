/** Remote stores: where data sets live. Reads them with the user's own credentials. */
@NullMarked
package io.quiver.remote;

import org.jspecify.annotations.NullMarked;
