package io.quiver.simulator.scenario;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;

/** From YAML text to nodes with lines. Refuses a key that is given twice. */
final class NodeReader {
  private static final int MAX_DEPTH = 16;

  private final String file;
  private final JsonParser parser;

  private NodeReader(String file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  static YamlNode.Fields read(String file, String yaml) {
    try (JsonParser parser = new YAMLFactory().createParser(yaml)) {
      NodeReader reader = new NodeReader(file, parser);
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new ScenarioException(file, 1, "the scenario is empty; it needs jobs at least");
      }
      YamlNode node = reader.node(first, 0);
      if (node instanceof YamlNode.Fields fields) {
        return fields;
      }
      throw new ScenarioException(
          file, node.line(), "a scenario consists of keys and values, not of " + node.kind());
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new ScenarioException(
          file,
          Math.max(1, line),
          "not YAML: "
              + e.getOriginalMessage().replaceAll("\\s+", " ")
              + "; check brackets and indents");
    } catch (IOException e) {
      throw new ScenarioException(file, 1, "cannot be read: " + e.getMessage());
    }
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private YamlNode node(JsonToken token, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw new ScenarioException(file, line(), "nested deeper than " + MAX_DEPTH + " levels");
    }
    return switch (token) {
      case START_OBJECT -> fields(depth);
      case START_ARRAY -> sequence(depth);
      default -> new YamlNode.Scalar(line(), String.valueOf(parser.getText()));
    };
  }

  private YamlNode fields(int depth) throws IOException {
    YamlNode.Fields fields = new YamlNode.Fields(line());
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      int line = line();
      YamlNode value = node(parser.nextToken(), depth + 1);
      if (fields.nodes().put(key, value) != null) {
        throw new ScenarioException(file, line, "\"" + key + "\" is given twice; keep one of them");
      }
      fields.lines().put(key, line);
    }
    return fields;
  }

  private YamlNode sequence(int depth) throws IOException {
    YamlNode.Sequence sequence = new YamlNode.Sequence(line());
    JsonToken token = parser.nextToken();
    while (token != JsonToken.END_ARRAY) {
      sequence.nodes().add(node(token, depth + 1));
      token = parser.nextToken();
    }
    return sequence;
  }
}
