package io.quiver.core.dataset;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A digest as the JSON that lies beside each golden file: everything a reader can find out. */
final class DigestJson {
  private final DatasetDigest digest;

  DigestJson(DatasetDigest digest) {
    this.digest = digest;
  }

  String text() {
    List<String> lines =
        List.of(
            field("items", digest.itemCount()),
            field("total_bytes", digest.totalBytes()),
            field("largest_item", digest.largestItem()),
            field("identity", quoted(digest.identity().toHex())),
            field("object_names", objects()),
            field("class_names", array(digest.classNames().stream().map(DigestJson::quoted))),
            field("metadata", metadata()),
            field("hash", column(i -> quoted(digest.hash(i).toHex()))),
            field("size", column(digest::size)),
            field("object", column(digest::objectIndex)),
            field("offset", column(digest::offset)),
            field("label", digest.hasLabels() ? column(digest::label) : "null"),
            field("length", has(DigestSection.LENGTHS) ? column(digest::length) : "null"),
            field(
                "name",
                has(DigestSection.ITEM_NAMES) ? column(i -> quoted(digest.itemName(i))) : "null"));
    return "{\n" + String.join(",\n", lines) + "\n}\n";
  }

  private boolean has(DigestSection section) {
    return digest.header().sections().stream().anyMatch(placed -> placed.kind() == section.kind());
  }

  private String objects() {
    return array(
        IntStream.range(0, (int) digest.objectCount()).mapToObj(i -> quoted(digest.objectName(i))));
  }

  private String metadata() {
    return digest.metadata().entrySet().stream()
        .map(entry -> quoted(entry.getKey()) + ": " + quoted(entry.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private String column(IntFunction<Object> value) {
    return array(IntStream.range(0, digest.itemCount()).mapToObj(value));
  }

  private static String array(Stream<?> values) {
    return values.map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String field(String name, Object value) {
    return "  " + quoted(name) + ": " + value;
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
