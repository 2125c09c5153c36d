package io.quiver.simulator.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The names that a file gives things of one kind: each once, found again where it is used. */
final class DeclaredNames {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  private final String kind;
  private final Map<String, List<String>> groups = new LinkedHashMap<>();

  DeclaredNames(String kind) {
    this.kind = kind;
  }

  /** Declares a name for one thing, and returns it. */
  String add(YamlKeys keys, String name) {
    require(keys, name);
    groups.put(name, List.of(name));
    return name;
  }

  /** Declares a name for several things, which are numbered from 0; returns all names. */
  List<String> addGroup(YamlKeys keys, String name, int count) {
    if (count == 1) {
      return List.of(add(keys, name));
    }
    require(keys, name);
    List<String> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(add(keys, name + "-" + i));
    }
    groups.put(name, List.copyOf(members));
    return members;
  }

  private void require(YamlKeys keys, String name) {
    if (!ALLOWED.matcher(name).matches()) {
      throw keys.error(
          "name", "is \"" + name + "\"; use up to 100 letters, digits, '.', '_' and '-'");
    }
    if (groups.containsKey(name)) {
      throw keys.error("name", "there are two " + kind + "s named " + name + "; rename one");
    }
  }

  /** Returns all single names, in the order of their declaration. */
  List<String> all() {
    return groups.entrySet().stream()
        .filter(each -> each.getValue().size() == 1 && each.getValue().contains(each.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the names a key refers to: one, or all of a group. */
  List<String> group(YamlKeys keys, String key) {
    String name = keys.text(key);
    List<String> members = groups.get(name);
    if (members == null) {
      String there = groups.isEmpty() ? "there are none" : String.join(", ", groups.keySet());
      throw keys.error(key, "no " + kind + " is named " + name + "; known: " + shortened(there));
    }
    return members;
  }

  private static String shortened(String text) {
    int most = 200;
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }

  /** Returns the one name a key refers to. */
  String one(YamlKeys keys, String key) {
    List<String> members = group(keys, key);
    if (members.size() != 1) {
      throw keys.error(
          key, "names " + members.size() + " of them; name one, like " + members.getFirst());
    }
    return members.getFirst();
  }
}
