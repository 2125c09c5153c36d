package io.quiver.simulator.scenario;

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

  /** Several in a row. */
  record Sequence(int line, List<YamlNode> nodes) implements YamlNode {
    Sequence(int line) {
      this(line, new ArrayList<>());
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** YamlKeys and their values. */
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
}
