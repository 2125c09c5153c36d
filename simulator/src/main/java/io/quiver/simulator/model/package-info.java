/**
 * Models of hardware: links that bytes pass one after another, machines and stores made of them.
 */
@NullMarked
package io.quiver.simulator.model;

import org.jspecify.annotations.NullMarked;
