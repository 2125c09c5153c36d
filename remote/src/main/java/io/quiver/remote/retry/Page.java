package io.quiver.remote.retry;

import io.quiver.remote.RemoteObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a listing.
 *
 * @param objects in the service's order
 * @param next what to ask for the part after it; null at the end
 */
public record Page(List<RemoteObject> objects, @Nullable String next) {}
