package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Frame;
import io.quiver.report.plot.Markup;
import io.quiver.report.plot.Page;
import java.util.List;

/** One plot as a file of its own, with its style and key in it, for pages written by hand. */
public final class Picture {
  private static final double HEAD = 34;
  private static final double HEIGHT = 300;
  private static final double KEY_WIDTH = 150;

  private Picture() {}

  /** Returns the samples all jobs were given over time, in every mode. */
  public static String samples(DemoResult result) {
    Markup svg =
        new Markup()
            .add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\""
                    + " height=\"%s\">",
                Frame.WIDTH, HEAD + HEIGHT, Frame.WIDTH, HEAD + HEIGHT)
            .add("<style>")
            .include(Page.plotStyles())
            .add("</style>")
            .add(
                "<rect width=\"%s\" height=\"%s\" fill=\"var(--paper)\"/>",
                Frame.WIDTH, HEAD + HEIGHT);
    key(svg, result.runs());
    return svg.add("<svg x=\"0\" y=\"%s\" width=\"%s\" height=\"%s\">", HEAD, Frame.WIDTH, HEIGHT)
        .include(new Plots(result).samples())
        .add("</svg></svg>")
        .toString();
  }

  private static void key(Markup svg, List<RunResult> runs) {
    double at = 62;
    for (RunResult run : runs) {
      svg.add(
          "<line class=\"line %s\" x1=\"%s\" x2=\"%s\" y1=\"20\" y2=\"20\"/>",
          run.mode().word(), at, at + 28);
      svg.add(
          "<text class=\"key\" x=\"%s\" y=\"24\">%s</text>",
          at + 35, run.mode().title() + " " + Figures.seconds(run.seconds()));
      at += KEY_WIDTH + 20;
    }
  }
}
