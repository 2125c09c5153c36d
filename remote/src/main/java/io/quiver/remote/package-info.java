/**
 * The contract of remote stores, where data sets live, and the entry point that opens them by
 * address. Stores are read with the user's own credentials.
 */
@NullMarked
package io.quiver.remote;

import org.jspecify.annotations.NullMarked;
