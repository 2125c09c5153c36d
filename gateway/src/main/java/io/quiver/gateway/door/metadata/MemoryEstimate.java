package io.quiver.gateway.door.metadata;

import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import java.util.Map;

/** Estimates the heap that kept answers take, rather too high than too low. */
final class MemoryEstimate {
  private static final long STRING = 56;
  private static final long ENTRY = 128;
  private static final long OBJECT = 64;

  private MemoryEstimate() {}

  static long of(String name, KnownObject known) {
    return ENTRY
        + text(name)
        + switch (known) {
          case KnownObject.Listed listed -> object(listed.object());
          case KnownObject.Asked asked -> details(asked.details());
          case KnownObject.Absent _ -> 0;
        };
  }

  static long of(ListingRequest request, ListingPage page) {
    long bytes = 2 * ENTRY + text(request.prefix()) + text(request.startAfter());
    bytes += text(String.valueOf(page.next())) + text(String.valueOf(request.token()));
    for (RemoteObject object : page.objects()) {
      bytes += object(object);
    }
    for (String group : page.groups()) {
      bytes += text(group);
    }
    return bytes;
  }

  private static long details(ObjectDetails details) {
    long bytes = OBJECT + object(details.object()) + text(details.contentType());
    for (Map.Entry<String, String> entry : details.metadata().entrySet()) {
      bytes += text(entry.getKey()) + text(entry.getValue());
    }
    return bytes;
  }

  private static long object(RemoteObject object) {
    return OBJECT + text(object.name()) + text(object.version());
  }

  private static long text(String text) {
    return STRING + text.length();
  }
}
