package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.allocate.DatasetKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The operators' preferences and quotas.
 *
 * @param datasets what of single data sets
 * @param datasetQuotas most bytes for single data sets
 * @param userQuotas most bytes for all data sets that a user's jobs read. A data set that several
 *     users read counts against the largest of their quotas, and against none when one of them has
 *     none: nobody loses by sharing.
 * @param paths what of whatever doors read below a path; the longest path counts
 */
public record CachePreferences(
    Map<DatasetKey, CachePreference> datasets,
    Map<DatasetKey, Long> datasetQuotas,
    Map<String, Long> userQuotas,
    Map<String, PathPreference> paths) {
  /** Nobody wants anything. */
  public static final CachePreferences NONE =
      new CachePreferences(Map.of(), Map.of(), Map.of(), Map.of());

  private static final int LONGEST_PATH = 4096;
  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9+.-]*://.");

  /** Bounds what a manager remembers. */
  private static final int MOST = 100_000;

  /** Keeps its own copies. */
  public CachePreferences {
    datasets = Map.copyOf(datasets);
    datasetQuotas = Map.copyOf(datasetQuotas);
    userQuotas = Map.copyOf(userQuotas);
    paths = Map.copyOf(paths);
    requireSizes(datasetQuotas.values());
    requireSizes(userQuotas.values());
    if (datasets.size() + datasetQuotas.size() + userQuotas.size() + paths.size() > MOST) {
      throw new IllegalArgumentException("more than " + MOST + " preferences; take some back");
    }
  }

  private static void requireSizes(Collection<Long> quotas) {
    for (long quota : quotas) {
      if (quota < 0) {
        throw new IllegalArgumentException("a quota of " + quota + " bytes");
      }
    }
  }

  /** Returns what somebody wants of a data set. */
  public CachePreference of(DatasetKey dataset) {
    return datasets.getOrDefault(dataset, CachePreference.AUTO);
  }

  /** Most bytes a data set may have. */
  public long most(DatasetKey dataset) {
    return of(dataset) == CachePreference.NEVER
        ? 0
        : Objects.requireNonNullElse(datasetQuotas.get(dataset), Long.MAX_VALUE);
  }

  /** Returns a copy with another preference for a data set. */
  public CachePreferences with(DatasetKey dataset, CachePreference preference) {
    return new CachePreferences(
        changed(datasets, dataset, preference == CachePreference.AUTO ? null : preference),
        datasetQuotas,
        userQuotas,
        paths);
  }

  /** Returns a copy with another quota for a data set; null for none. */
  public CachePreferences withQuota(DatasetKey dataset, @Nullable Long bytes) {
    return new CachePreferences(
        datasets, changed(datasetQuotas, dataset, bytes), userQuotas, paths);
  }

  /** Returns a copy with another quota for a user; null for none. */
  public CachePreferences withUserQuota(String user, @Nullable Long bytes) {
    if (user.isEmpty()) {
      throw new IllegalArgumentException("a quota for no user; name one");
    }
    return new CachePreferences(datasets, datasetQuotas, changed(userQuotas, user, bytes), paths);
  }

  /** Returns a copy in which the preferences and quotas of others go before these. */
  public CachePreferences and(CachePreferences others) {
    return new CachePreferences(
        joined(datasets, others.datasets),
        joined(datasetQuotas, others.datasetQuotas),
        joined(userQuotas, others.userQuotas),
        joined(paths, others.paths));
  }

  private static <K, V> Map<K, V> joined(Map<K, V> some, Map<K, V> others) {
    Map<K, V> all = new HashMap<>(some);
    all.putAll(others);
    return all;
  }

  /** Returns what somebody wants of a path: of itself, or of the nearest path above it. */
  public PathPreference ofPath(String path) {
    if (paths.isEmpty()) {
      return PathPreference.NONE;
    }
    String above = path;
    while (true) {
      @Nullable PathPreference found = paths.get(above);
      int slash = above.lastIndexOf('/');
      if (found != null || slash < 0) {
        return Objects.requireNonNullElse(found, PathPreference.NONE);
      }
      above = above.substring(0, slash);
    }
  }

  /** Returns what somebody wants of a path itself, whatever counts for those above it. */
  public PathPreference ofPathAlone(String path) {
    return Objects.requireNonNullElse(paths.get(trimmed(path)), PathPreference.NONE);
  }

  private static String trimmed(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }

  /** Returns a copy for those who may see no paths. */
  public CachePreferences withoutPaths() {
    return new CachePreferences(datasets, datasetQuotas, userQuotas, Map.of());
  }

  /** Returns a copy with another preference for a path. */
  public CachePreferences withPath(String path, PathPreference preference) {
    String trimmed = trimmed(path);
    Bounds.textOrEmpty("path", trimmed, LONGEST_PATH);
    if (!ADDRESS.matcher(trimmed).lookingAt()) {
      throw new IllegalArgumentException(
          "path is \""
              + trimmed
              + "\"; write it as quiver streams shows it, for example s3://bucket/folder");
    }
    boolean none = preference.equals(PathPreference.NONE);
    return new CachePreferences(
        datasets, datasetQuotas, userQuotas, changed(paths, trimmed, none ? null : preference));
  }

  private static <K extends Comparable<K>, V> Map<K, V> changed(
      Map<K, V> map, K key, @Nullable V value) {
    Map<K, V> copy = new TreeMap<>(map);
    if (value == null) {
      copy.remove(key);
    } else {
      copy.put(key, value);
    }
    return copy;
  }
}
