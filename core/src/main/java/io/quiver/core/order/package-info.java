/**
 * Decides which samples a job reads next: chunks as stripes, seeded permutations, and the epoch
 * samplers that deliver every item exactly once per epoch in random order (Quiver, FAST '20, §4.7
 * and §5.1). Pure: residency, seeds and outcomes are passed in.
 */
@NullMarked
package io.quiver.core.order;

import org.jspecify.annotations.NullMarked;
