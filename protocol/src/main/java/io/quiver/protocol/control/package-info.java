/**
 * The control documents: heartbeats and plans as JSON. Their types are the policy core's own
 * records; this package only writes and reads them.
 */
@NullMarked
package io.quiver.protocol.control;

import org.jspecify.annotations.NullMarked;
