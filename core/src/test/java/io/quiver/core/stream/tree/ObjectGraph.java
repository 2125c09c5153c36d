package io.quiver.core.stream.tree;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts the memory of an object and of all that it alone refers to, as a 64-bit virtual machine
 * with compressed references lays it out. Looks into the project's own objects field by field;
 * collections of the JDK are counted by what they hold.
 */
final class ObjectGraph {
  private static final int HEADER = 12;
  private static final int ARRAY_HEADER = 16;
  private static final int REFERENCE = 4;
  private static final int ALIGNMENT = 8;
  private static final int COLLECTION = 48;
  private static final int MAP_ENTRY = 48;

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> waiting = new ArrayDeque<>();
  private final Predicate<Object> counted;
  private long bytes;

  private ObjectGraph(Predicate<Object> counted) {
    this.counted = counted;
  }

  /** Returns the bytes of all objects that some refer to, as far as they are to be counted. */
  static long bytes(Predicate<Object> counted, Object... roots) {
    ObjectGraph graph = new ObjectGraph(counted);
    for (Object root : roots) {
      graph.found(root);
    }
    while (!graph.waiting.isEmpty()) {
      graph.count(graph.waiting.remove());
    }
    return graph.bytes;
  }

  private void found(@Nullable Object object) {
    if (object != null && !(object instanceof Class) && counted.test(object) && seen.add(object)) {
      waiting.add(object);
    }
  }

  private static long aligned(long size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  private void count(Object object) {
    switch (object) {
      case String text -> {
        boolean narrow = text.chars().allMatch(c -> c < 0x100);
        bytes += 24 + aligned(ARRAY_HEADER + (long) text.length() * (narrow ? 1 : 2));
      }
      case Map<?, ?> map -> {
        bytes += COLLECTION + (long) MAP_ENTRY * map.size() + 2L * REFERENCE * map.size();
        map.forEach((key, value) -> {
          found(key);
          found(value);
        });
      }
      case Collection<?> all -> {
        bytes += COLLECTION + (long) REFERENCE * all.size() * 3 / 2;
        all.forEach(this::found);
      }
      case Enum<?> any -> {}
      case Number any -> bytes += 16;
      default -> {
        if (object.getClass().isArray()) {
          array(object);
        } else if (object.getClass().getName().startsWith("io.quiver")) {
          fields(object);
        }
      }
    }
  }

  private void array(Object array) {
    int length = Array.getLength(array);
    Class<?> type = array.getClass().getComponentType();
    bytes += aligned(ARRAY_HEADER + (long) length * size(type));
    if (!type.isPrimitive()) {
      for (int i = 0; i < length; i++) {
        found(Array.get(array, i));
      }
    }
  }

  private void fields(Object object) {
    long size = HEADER;
    for (Field field : all(object.getClass())) {
      size += size(field.getType());
      if (!field.getType().isPrimitive()) {
        try {
          field.setAccessible(true);
          found(field.get(object));
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    bytes += aligned(size);
  }

  private static List<Field> all(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          fields.add(field);
        }
      }
    }
    return fields;
  }

  private static int size(Class<?> type) {
    if (type == long.class || type == double.class) {
      return Long.BYTES;
    }
    if (type == int.class || type == float.class) {
      return Integer.BYTES;
    }
    if (type == short.class || type == char.class) {
      return Short.BYTES;
    }
    return type.isPrimitive() ? 1 : REFERENCE;
  }
}
