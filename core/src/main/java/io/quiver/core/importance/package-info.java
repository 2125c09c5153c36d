/**
 * Decides which samples a job learns more from, and reads more often (SHADE, §4). Losses become
 * scores, scores become the list of an epoch, and the list says what the cache is to keep. All
 * arithmetic is in integers: the same reports give the same list in every language.
 */
@NullMarked
package io.quiver.core.importance;

import org.jspecify.annotations.NullMarked;
