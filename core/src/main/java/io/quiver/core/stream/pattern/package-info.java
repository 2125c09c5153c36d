/**
 * Recognises patterns in windows of reads (IGTCache, §3.2), and puts together what several doors
 * saw of one stream. Each test is a class; {@link io.quiver.core.stream.pattern.PatternTests} says
 * in which order they decide.
 */
@NullMarked
package io.quiver.core.stream.pattern;

import org.jspecify.annotations.NullMarked;
