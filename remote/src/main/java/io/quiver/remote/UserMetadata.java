package io.quiver.remote;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Brings what services say of an object into one form. */
public final class UserMetadata {
  private UserMetadata() {}

  /** Returns an object's details; keys of metadata become lower case, the first of two counts. */
  public static ObjectDetails details(
      RemoteObject object, @Nullable String contentType, @Nullable Map<String, String> metadata) {
    Map<String, String> lowered = new HashMap<>();
    if (metadata != null) {
      metadata.forEach((key, value) -> lowered.putIfAbsent(key.toLowerCase(Locale.ROOT), value));
    }
    return new ObjectDetails(object, contentType == null ? "" : contentType, lowered);
  }
}
