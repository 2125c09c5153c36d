package io.quiver.report.plot;

/**
 * An entry of the key below a plot.
 *
 * @param style the class that styles it
 * @param name what it stands for
 */
public record LegendEntry(String style, String name) {}
