/** Tests of policies over real stores. */
@NullMarked
package io.quiver.server.policy;

import org.jspecify.annotations.NullMarked;
