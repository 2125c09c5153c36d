/** The client's test kit: real servers that come and go, and hostile ones made by hand. */
@NullMarked
package io.quiver.client.testing;

import org.jspecify.annotations.NullMarked;
