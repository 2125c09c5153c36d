package io.quiver.testkit;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies of an honest JSON document in which one value is hostile. They follow from the document,
 * so that a field that is added to it is attacked as well.
 */
public final class HostileDocuments {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String HOLE = "@hostile@";
  private static final int LONG = 100_000;

  private HostileDocuments() {}

  /**
   * A document with one hostile value.
   *
   * @param path where the value stands, for example {@code held.held.0.chunk}
   * @param field the name of the field that it is in
   * @param attack which value it is, in a word
   * @param json the whole document
   */
  public record Hostile(String path, String field, String attack, String json) {
    /** Returns the place and the attack, by which exceptions are listed. */
    public String name() {
      return path + " " + attack;
    }
  }

  /**
   * Returns the documents with each value attacked in every way.
   *
   * @throws IllegalArgumentException if a value is null or empty, which cannot be attacked
   */
  public static List<Hostile> of(byte[] honest) throws IOException {
    List<Hostile> all = new ArrayList<>();
    JsonNode root = MAPPER.readTree(honest);
    attack(root, root, JsonPointer.empty(), "", all);
    return all;
  }

  private static void attack(
      JsonNode root, JsonNode value, JsonPointer at, String field, List<Hostile> all)
      throws IOException {
    if (value.isNull() || (value.isContainerNode() && value.isEmpty())) {
      throw new IllegalArgumentException(at + " is empty; give the honest document a value there");
    }
    if (!field.isEmpty()) {
      String path = at.toString().substring(1).replace('/', '.');
      for (Map.Entry<String, String> each : attacks(value).entrySet()) {
        all.add(new Hostile(path, field, each.getKey(), with(root, at, each.getValue())));
      }
    }
    if (value instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> each : object.properties()) {
        attack(root, each.getValue(), at.appendProperty(each.getKey()), each.getKey(), all);
      }
    } else if (value instanceof ArrayNode array) {
      attack(root, array.get(0), at.appendIndex(0), field, all);
    }
  }

  private static Map<String, String> attacks(JsonNode value) throws IOException {
    Map<String, String> attacks = new LinkedHashMap<>();
    attacks.put("null", "null");
    if (value.isNumber()) {
      attacks.put("negative", "-1");
      attacks.put("lowest", Long.toString(Long.MIN_VALUE));
      attacks.put("huge", "1e300");
      attacks.put("infinite", "1e999");
      attacks.put("nan", "\"NaN\"");
      attacks.put("text", "\"1\"");
      attacks.put("truth", "true");
      attacks.put("list", "[1]");
      if (value.isIntegralNumber()) {
        attacks.put("most-int", Integer.toString(Integer.MAX_VALUE));
        attacks.put("most", Long.toString(Long.MAX_VALUE));
        attacks.put("nearly-most", Long.toString(Long.MAX_VALUE - 1));
        attacks.put("fraction", "0.5");
      } else {
        attacks.put("tiny", "1e-300");
      }
    } else if (value.isTextual()) {
      attacks.put("empty", "\"\"");
      attacks.put("long", "\"" + "a".repeat(LONG) + "\"");
      attacks.put("control", "\"a\\nb\"");
      attacks.put("other-scheme", "\"mailto:x\"");
      attacks.put("number", "1");
      attacks.put("list", "[\"a\"]");
    } else if (value.isBoolean()) {
      attacks.put("number", "1");
      attacks.put("text", "\"true\"");
      attacks.put("list", "[true]");
    } else if (value.isArray()) {
      String element = MAPPER.writeValueAsString(value.get(0));
      attacks.put("holes", "[null]");
      attacks.put("long", "[" + (element + ",").repeat(LONG / 2) + element + "]");
      attacks.put("object", "{}");
      attacks.put("text", "\"x\"");
    } else {
      attacks.put("list", "[]");
      attacks.put("text", "\"x\"");
    }
    return attacks;
  }

  private static String with(JsonNode root, JsonPointer at, String json) throws IOException {
    JsonNode copy = root.deepCopy();
    ContainerNode<?> parent = (ContainerNode<?>) copy.at(at.head());
    if (parent instanceof ObjectNode object) {
      object.put(at.last().getMatchingProperty(), HOLE);
    } else {
      ((ArrayNode) parent).set(at.last().getMatchingIndex(), HOLE);
    }
    return MAPPER.writeValueAsString(copy).replace("\"" + HOLE + "\"", json);
  }
}
