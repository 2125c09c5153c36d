package io.quiver.gateway.door.metadata;

import io.quiver.gateway.door.metadata.FreshEntries.Entry;
import io.quiver.gateway.door.metadata.KnownObject.Absent;
import io.quiver.gateway.door.metadata.KnownObject.Asked;
import io.quiver.gateway.door.metadata.KnownObject.Listed;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers details and listings of a store for the freshness window, and that objects are absent.
 * Failures are never remembered. A listing teaches the sizes, versions and times of its objects, so
 * that looking at each of them costs nothing more. Safe for use by many threads.
 */
public final class MetadataCache {
  private static final Logger LOG = LoggerFactory.getLogger(MetadataCache.class);

  private final RemoteStore store;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  // All guarded by the lock.
  private final FreshEntries<String, KnownObject> objects;
  private final FreshEntries<ListingRequest, ListingPage> listings;
  private final ListingsByPrefix byPrefix = new ListingsByPrefix();
  private final SharedQuestions<String, ObjectDetails> objectQuestions;
  private final SharedQuestions<ListingRequest, ListingPage> listingQuestions;
  private final PagesAhead pagesAhead;
  private final LongAdder remembered = new LongAdder();
  private final LongAdder asked = new LongAdder();

  /** Asks the store. */
  @FunctionalInterface
  public interface Question<V> {
    /** Returns the answer. */
    V ask() throws IOException;
  }

  /** Makes an empty cache over a store. */
  public MetadataCache(RemoteStore store, MetadataBounds bounds, LongSupplier nanoTime) {
    this.store = store;
    this.nanoTime = nanoTime;
    long fresh = bounds.freshness().toNanos();
    this.objects =
        new FreshEntries<>(bounds.detailsBytes(), fresh, MemoryEstimate::of, (key, value) -> {});
    this.listings =
        new FreshEntries<>(
            bounds.listingBytes(),
            fresh,
            MemoryEstimate::of,
            (request, page) -> byPrefix.remove(request));
    this.objectQuestions = new SharedQuestions<>(lock, fresh, nanoTime);
    this.listingQuestions = new SharedQuestions<>(lock, fresh, nanoTime);
    this.pagesAhead = new PagesAhead(fresh, nanoTime);
  }

  /** Returns an object's size, version and time of change; a listing may have told them. */
  public RemoteObject stat(String name) throws IOException {
    return switch (fresh(name)) {
      case Listed(RemoteObject object) -> object;
      case Asked(ObjectDetails details) -> details.object();
      case Absent _ -> throw new NoSuchFileException(name);
      case null -> ask(name, () -> store.details(name)).object();
    };
  }

  /** Returns all details of an object. */
  public ObjectDetails details(String name) throws IOException {
    ObjectDetails known = freshDetails(name);
    return known != null ? known : ask(name, () -> store.details(name));
  }

  /** Returns all details of an object if they are known and fresh, or null. */
  public @Nullable ObjectDetails freshDetails(String name) throws IOException {
    return switch (fresh(name)) {
      case Asked(ObjectDetails details) -> details;
      case Absent _ -> throw new NoSuchFileException(name);
      case Listed _ -> null;
      case null -> null;
    };
  }

  /** Returns the version that was last heard of, however long ago. */
  public Optional<RemoteObject> lastKnown(String name) {
    lock.lock();
    try {
      Entry<KnownObject> entry = objects.any(name);
      return entry == null ? Optional.empty() : object(entry.value());
    } finally {
      lock.unlock();
    }
  }

  private static Optional<RemoteObject> object(KnownObject known) {
    return switch (known) {
      case Listed(RemoteObject object) -> Optional.of(object);
      case Asked(ObjectDetails details) -> Optional.of(details.object());
      case Absent _ -> Optional.empty();
    };
  }

  /** Returns an object's version if it is known and fresh. */
  public Optional<RemoteObject> freshObject(String name) {
    KnownObject known = fresh(name);
    return known == null ? Optional.empty() : object(known);
  }

  /**
   * Asks for all details of an object in a way of the caller's own. The question is not asked where
   * the answer to an equal one is on its way.
   */
  public ObjectDetails ask(String name, Question<ObjectDetails> question) throws IOException {
    return objectQuestions.ask(name, () -> asked(name), counted(question), keeping(name));
  }

  private @Nullable ObjectDetails asked(String name) {
    return objects.fresh(name, nanoTime.getAsLong()) instanceof Asked(ObjectDetails details)
        ? details
        : null;
  }

  /** Asks for all details of an object without waiting for the answer to an equal question. */
  public ObjectDetails askAlone(String name, Question<ObjectDetails> question) throws IOException {
    return objectQuestions.askAlone(name, counted(question), keeping(name));
  }

  private Question<ObjectDetails> counted(Question<ObjectDetails> question) {
    return () -> {
      asked.increment();
      return question.ask();
    };
  }

  private SharedQuestions.Keeping<ObjectDetails> keeping(String name) {
    return (details, failure, askedAt) -> {
      if (details != null) {
        keep(name, new Asked(details), askedAt);
      } else if (failure instanceof NoSuchFileException) {
        keep(name, new Absent(), askedAt);
      }
    };
  }

  /** Returns one page of a listing; begins to ask for the next ones if its reader goes on. */
  public ListingPage page(ListingRequest request) throws IOException {
    int depth = pagesAhead.depth(request);
    ListingPage page = askPage(request);
    pagesAhead.given(request, page, depth);
    pagesAhead.ask(request, page, depth, this::askPageAhead);
    return page;
  }

  private @Nullable ListingPage askPageAhead(ListingRequest request) {
    try {
      ListingPage page = askPage(request);
      return isKept(request) ? page : null;
    } catch (IOException | RuntimeException e) {
      // Whoever wants the page asks again and hears of the trouble then.
      LOG.debug("a page of the listing of '{}' could not be read ahead", request.prefix(), e);
      return null;
    }
  }

  private boolean isKept(ListingRequest request) {
    lock.lock();
    try {
      return listings.any(request) != null;
    } finally {
      lock.unlock();
    }
  }

  private ListingPage askPage(ListingRequest request) throws IOException {
    ListingPage known;
    lock.lock();
    try {
      known = listings.fresh(request, nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
    if (known != null) {
      remembered.increment();
      return known;
    }
    return listingQuestions.ask(
        request,
        () -> listings.fresh(request, nanoTime.getAsLong()),
        () -> {
          asked.increment();
          return store.page(request);
        },
        (page, failure, askedAt) -> {
          if (page != null) {
            listings.put(request, page, askedAt);
            if (listings.any(request) != null) {
              byPrefix.add(request);
            }
            page.objects().forEach(object -> learn(object, askedAt));
          }
        });
  }

  /** Notes what a listing says of an object, unless more is known already. */
  private void learn(RemoteObject object, long askedAt) {
    Entry<KnownObject> known = objects.any(object.name());
    boolean moreIsKnown =
        known != null
            && known.value() instanceof Asked
            && objects.isFresh(known.askedAt(), nanoTime.getAsLong())
            && isSame(known.value(), object);
    if (!object.version().isEmpty() && !moreIsKnown) {
      keep(object.name(), new Listed(object), askedAt);
    }
  }

  private static boolean isSame(KnownObject known, RemoteObject object) {
    return object(known)
        .filter(other -> other.version().equals(object.version()))
        .filter(other -> other.size() == object.size())
        .isPresent();
  }

  /** Keeps what is known of a name unless something newer is. */
  private void keep(String name, KnownObject known, long askedAt) {
    Entry<KnownObject> other = objects.any(name);
    if (other == null || askedAt - other.askedAt() >= 0) {
      objects.put(name, known, askedAt);
    }
  }

  /** Forgets an object and every listing that may show it; answers on their way count as old. */
  public void forget(String name) {
    lock.lock();
    try {
      objects.remove(name);
      byPrefix.showing(name).forEach(listings::remove);
      objectQuestions.outdate(name::equals);
      listingQuestions.outdate(request -> name.startsWith(request.prefix()));
    } finally {
      lock.unlock();
    }
  }

  private @Nullable KnownObject fresh(String name) {
    lock.lock();
    try {
      KnownObject known = objects.fresh(name, nanoTime.getAsLong());
      if (known != null) {
        remembered.increment();
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of questions that were answered from memory. */
  public long remembered() {
    return remembered.sum();
  }

  /** Returns the number of questions that went to the store. */
  public long asked() {
    return asked.sum();
  }

  /** Returns the memory that listings take, as estimated. */
  public long listingBytes() {
    lock.lock();
    try {
      return listings.bytes();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the memory that details take, as estimated. */
  public long detailsBytes() {
    lock.lock();
    try {
      return objects.bytes();
    } finally {
      lock.unlock();
    }
  }
}
