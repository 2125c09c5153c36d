/**
 * Results for people: tables, sizes and times as text; {@code plot} draws SVG plots and writes
 * pages. Nothing here measures or prints.
 */
@NullMarked
package io.quiver.report;

import org.jspecify.annotations.NullMarked;
