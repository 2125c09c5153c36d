package io.quiver.core.stream.tree;

import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.BlockPlace;
import io.quiver.core.stream.StreamPlacements;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamVerdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Knows which path each verdict of the plan is about, and makes of both where blocks go. A plan
 * names streams by hashed paths only; a path is recognised once the tree has a node for it.
 */
final class PlanWords {
  private static final int LEAST_PART = 10;

  private final StreamRules rules;
  private final UnaryOperator<String> keys;
  private final Map<String, StreamVerdict> byKey = new LinkedHashMap<>();
  private final Map<String, String> paths = new HashMap<>();
  private final List<StreamNode> told = new ArrayList<>();

  PlanWords(StreamRules rules, UnaryOperator<String> keys) {
    this.rules = rules;
    this.keys = keys;
  }

  /** Returns the key of a stream. */
  String key(StreamNode node) {
    @Nullable String known = node.key();
    if (known != null) {
      return known;
    }
    String key = keys.apply(node.path());
    node.key(key);
    return key;
  }

  /** Notes a read of a stream; returns true if the plan speaks of it, which was not known here. */
  boolean meets(StreamNode node) {
    if (paths.size() == byKey.size() || node.key() != null || !isWorthAKey(node)) {
      return false;
    }
    @Nullable StreamVerdict verdict = byKey.get(key(node));
    if (verdict == null) {
      return false;
    }
    node.verdict(verdict);
    remember(node);
    return true;
  }

  private void remember(StreamNode node) {
    paths.put(key(node), node.path());
    told.add(node);
  }

  /** Takes the latest verdicts; returns the streams whose quota has changed. */
  List<StreamNode> take(List<StreamVerdict> verdicts, StreamNode root) {
    byKey.clear();
    verdicts.forEach(verdict -> byKey.put(verdict.key(), verdict));
    paths.keySet().retainAll(byKey.keySet());
    List<StreamNode> changed = new ArrayList<>();
    told.clear();
    tell(root, changed);
    return changed;
  }

  /** Tells a stream and all below it what the plan says of them. */
  private void tell(StreamNode node, List<StreamNode> changed) {
    if (node.key() != null || isWorthAKey(node)) {
      String key = key(node);
      @Nullable StreamVerdict verdict = byKey.get(key);
      @Nullable StreamVerdict before = node.verdict();
      if (verdict != null) {
        remember(node);
      }
      if (verdict == null ? before != null : !verdict.equals(before)) {
        node.verdict(verdict);
        long had = before == null ? 0 : before.quotaBytes();
        if (verdict != null && verdict.quotaBytes() != had) {
          changed.add(node);
        }
      }
    }
    for (@Nullable StreamNode child = node.links.firstChild();
        child != null;
        child = child.links.next()) {
      tell(child, changed);
    }
  }

  private boolean isWorthAKey(StreamNode node) {
    return !byKey.isEmpty() && node.reads.count() >= rules.window() / LEAST_PART;
  }

  /** Returns the streams of which the plan speaks. */
  List<StreamNode> told() {
    return List.copyOf(told);
  }

  /** Returns where blocks go now. */
  StreamPlacements placements(StreamNode root) {
    Map<String, BlockPlace> places = new HashMap<>();
    for (StreamNode owner : QuotaOwners.of(rules, root)) {
      if (owner.recognition().pattern() == AccessPattern.SEQUENTIAL) {
        places.put(owner.path(), BlockPlace.NOWHERE);
      }
    }
    paths.forEach((key, path) -> {
      @Nullable StreamVerdict verdict = byKey.get(key);
      if (verdict != null) {
        places.put(path, place(verdict));
      }
    });
    return places.isEmpty() ? StreamPlacements.NONE : new StreamPlacements(places);
  }

  private static BlockPlace place(StreamVerdict verdict) {
    return verdict.space() == null ? BlockPlace.NOWHERE : new BlockPlace.Own(verdict.space());
  }
}
