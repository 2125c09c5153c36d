package io.quiver.simulator.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A piece of a YAML file that knows its line. */
sealed interface Node {
  /** Where it begins, from 1. */
  int line();

  /** What it is, for messages. */
  String kind();

  /** A number, a word or a switch. */
  record Scalar(int line, String text) implements Node {
    @Override
    public String kind() {
      return "\"" + text + "\"";
    }
  }

  /** Several in a row. */
  record Sequence(int line, List<Node> nodes) implements Node {
    Sequence(int line) {
      this(line, new ArrayList<>());
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Keys and their values. */
  record Fields(int line, Map<String, Node> nodes, Map<String, Integer> lines) implements Node {
    Fields(int line) {
      this(line, new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    @Override
    public String kind() {
      return "keys and values";
    }
  }
}
