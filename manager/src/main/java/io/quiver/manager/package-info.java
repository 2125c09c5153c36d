/**
 * The cache manager: one duty cycle that turns heartbeats into plans, and the HTTP calls around it.
 * It keeps no state on disk; a new one goes on from what jobs and servers report.
 */
@NullMarked
package io.quiver.manager;

import org.jspecify.annotations.NullMarked;
