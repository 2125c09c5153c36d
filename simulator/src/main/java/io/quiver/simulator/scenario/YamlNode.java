package io.quiver.simulator.scenario;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A piece of a YAML file that knows its line. */
sealed interface YamlNode {
  /** Returns the line it begins at, from 1. */
  int line();

  /** Returns the kind of node, for messages. */
  String kind();

  /** A number, a word or a switch. */
  record Scalar(int line, String text) implements YamlNode {
    @Override
    public String kind() {
      return "\"" + text + "\"";
    }
  }

  /** Several nodes in a row. */
  record Sequence(int line, List<YamlNode> nodes) implements YamlNode {
    Sequence(int line) {
      this(line, new ArrayList<>());
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Keys, their values and their lines. */
  record Fields(int line, Map<String, YamlNode> nodes, Map<String, Integer> lines)
      implements YamlNode {
    Fields(int line) {
      this(line, new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    @Override
    public String kind() {
      return "keys and values";
    }
  }

  /** Reads the keys and values of a file. */
  static Fields read(String file, String yaml) {
    try (JsonParser parser = new YAMLFactory().createParser(yaml)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new ScenarioException(file, 1, "the scenario is empty; it needs jobs at least");
      }
      YamlNode node = new Reader(file, parser).node(first, 0);
      if (node instanceof Fields fields) {
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

  /** Makes nodes of the tokens of a file. Refuses a key that is given twice. */
  record Reader(String file, JsonParser parser) {
    private static final int MAX_DEPTH = 16;

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
        default -> new Scalar(line(), String.valueOf(parser.getText()));
      };
    }

    private YamlNode fields(int depth) throws IOException {
      Fields fields = new Fields(line());
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String key = parser.currentName();
        int line = line();
        YamlNode value = node(parser.nextToken(), depth + 1);
        if (fields.nodes().put(key, value) != null) {
          throw new ScenarioException(
              file, line, "\"" + key + "\" is given twice; keep one of them");
        }
        fields.lines().put(key, line);
      }
      return fields;
    }

    private YamlNode sequence(int depth) throws IOException {
      Sequence sequence = new Sequence(line());
      JsonToken token = parser.nextToken();
      while (token != JsonToken.END_ARRAY) {
        sequence.nodes().add(node(token, depth + 1));
        token = parser.nextToken();
      }
      return sequence;
    }
  }
}
