package io.quiver.benchmarks.demo.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.benchmarks.demo.run.DemoMode;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class HtmlReportTest {
  private static final Pattern PICTURE = Pattern.compile("(?s)<svg xmlns.*?</svg>");

  @Test
  void everyPictureIsWellFormedAndNamedForThoseWhoCannotSeeIt() throws Exception {
    List<String> pictures = pictures(HtmlReport.of(SampleResults.all()));
    assertThat(pictures).hasSize(6);
    for (String picture : pictures) {
      Document document = parse(picture);
      Element root = document.getDocumentElement();
      assertThat(root.getAttribute("role")).isEqualTo("img");
      assertThat(root.getElementsByTagName("title").getLength()).isPositive();
      assertThat(root.getElementsByTagName("desc").getLength()).isEqualTo(1);
    }
  }

  @Test
  void progressHasALineForEachJobOfEachRun() throws Exception {
    List<String> pictures = pictures(HtmlReport.of(SampleResults.all()));
    for (int run = 0; run < 4; run++) {
      assertThat(lines(parse(pictures.get(run)))).hasSize(SampleResults.JOBS);
    }
  }

  @Test
  void theBytesFromTheStoreHaveALineForEachRunThatEndsWhereTheRunDid() throws Exception {
    List<Element> lines = lines(parse(pictures(HtmlReport.of(SampleResults.all())).getLast()));
    assertThat(lines)
        .extracting(line -> line.getAttribute("class"))
        .containsExactly("line none", "line lru", "line quiver", "line all-cached");
    double slow = lastX(lines.get(0));
    double fast = lastX(lines.get(2));
    assertThat(slow).isGreaterThan(700);
    assertThat((fast - 62) / (slow - 62)).isBetween(0.24, 0.26);
  }

  @Test
  void residencyHasABoxForEveryStateOfEveryChunk() throws Exception {
    NodeList boxes =
        parse(pictures(HtmlReport.of(SampleResults.all())).get(4)).getElementsByTagName("rect");
    List<String> states = new ArrayList<>();
    for (int i = 0; i < boxes.getLength(); i++) {
      states.add(((Element) boxes.item(i)).getAttribute("class"));
    }
    assertThat(states)
        .containsExactlyInAnyOrder("pinned", "loading", "active", "loading", "active", "marked");
  }

  @Test
  void needsNothingFromTheNetwork() {
    String page = HtmlReport.of(SampleResults.all()).replace("http://www.w3.org/2000/svg", "");
    assertThat(page).doesNotContain("http:", "https:", "src=", "@import", "url(", "<script");
    assertThat(page).contains("prefers-color-scheme: dark");
  }

  @Test
  void whatComesFromOutsideIsEscaped() {
    assertThat(HtmlReport.of(SampleResults.all()))
        .contains("mean &lt;displacement&gt;")
        .doesNotContain("<displacement>");
  }

  @Test
  void aReportOfOneRunLeavesOutWhatItCannotShow() {
    String page =
        HtmlReport.of(SampleResults.of(SampleResults.run(DemoMode.LRU, 10, 900, 0, true)));
    assertThat(page).contains("shared LRU").doesNotContain("NaN", "Infinity", "What Quiver");
  }

  @Test
  void thePictureOfItsOwnIsWellFormedAndCarriesItsStyle() throws Exception {
    Document picture = parse(Picture.samples(SampleResults.all()));
    assertThat(picture.getElementsByTagName("style").getLength()).isEqualTo(1);
    assertThat(lines(picture)).hasSize(4);
  }

  private static List<String> pictures(String page) {
    List<String> found = new ArrayList<>();
    Matcher matcher = PICTURE.matcher(page);
    while (matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  private static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  private static List<Element> lines(Document document) {
    NodeList found = document.getElementsByTagName("polyline");
    List<Element> lines = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      lines.add((Element) found.item(i));
    }
    return lines;
  }

  private static double lastX(Element line) {
    String points = line.getAttribute("points");
    String last = points.substring(points.lastIndexOf(' ') + 1);
    return Double.parseDouble(last.substring(0, last.indexOf(',')));
  }
}
