/**
 * Training jobs in virtual time: handlers of events around the state machines of {@code
 * core.engine}, and a training loop. No rule of the reading protocol is written here.
 */
@NullMarked
package io.quiver.simulator.job;

import org.jspecify.annotations.NullMarked;
