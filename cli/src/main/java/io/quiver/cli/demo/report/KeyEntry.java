package io.quiver.cli.demo.report;

/**
 * An entry of the key below a plot.
 *
 * @param style the class that styles it
 * @param name what it stands for
 */
record KeyEntry(String style, String name) {}
