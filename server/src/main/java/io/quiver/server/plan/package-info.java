/** Which spaces a server shall have, as plans say, and moving toward it. */
@NullMarked
package io.quiver.server.plan;

import org.jspecify.annotations.NullMarked;
