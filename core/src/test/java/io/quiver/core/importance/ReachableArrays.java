package io.quiver.core.importance;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds up the bytes of all arrays that an object of this project holds, directly or not. */
final class ReachableArrays {
  private static final Map<Class<?>, Integer> BYTES =
      Map.of(byte.class, 1, char.class, 2, short.class, 2, int.class, 4, long.class, 8);

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> left = new ArrayDeque<>();

  private ReachableArrays() {}

  static long bytes(Object root) throws IllegalAccessException {
    ReachableArrays walk = new ReachableArrays();
    walk.visit(root);
    long bytes = 0;
    while (!walk.left.isEmpty()) {
      Object next = walk.left.remove();
      Integer each =
          next.getClass().isArray() ? BYTES.get(next.getClass().getComponentType()) : null;
      if (each != null) {
        bytes += (long) each * Array.getLength(next);
      } else if (next instanceof Object[] several) {
        Arrays.stream(several).forEach(walk::visit);
      } else if (next.getClass().getName().startsWith("io.quiver.")) {
        walk.visitFields(next);
      }
    }
    return bytes;
  }

  private void visit(@Nullable Object found) {
    if (found != null && seen.add(found)) {
      left.add(found);
    }
  }

  private void visitFields(Object owner) throws IllegalAccessException {
    Field[] fields = owner.getClass().getDeclaredFields();
    AccessibleObject.setAccessible(fields, true);
    for (Field field : fields) {
      if (!Modifier.isStatic(field.getModifiers())) {
        visit(field.get(owner));
      }
    }
  }
}
