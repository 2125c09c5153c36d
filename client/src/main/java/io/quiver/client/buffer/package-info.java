/**
 * Provides memory for answers: a bounded pool of direct buffers that notices when one is not
 * returned. Internal to the client.
 */
@NullMarked
package io.quiver.client.buffer;

import org.jspecify.annotations.NullMarked;
