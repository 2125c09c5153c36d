package io.quiver.remote.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.PagedIterable;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobDownloadContentResponse;
import com.azure.storage.blob.models.BlobDownloadHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobItemProperties;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectAddress;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.UserMetadata;
import io.quiver.remote.Versions;
import io.quiver.remote.retry.ContentRange;
import io.quiver.remote.retry.ObjectBody;
import io.quiver.remote.retry.ObjectSource;
import io.quiver.remote.retry.Refusals;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the blobs below a folder of an Azure container.
 *
 * <p>Bytes come in parts of at most {@value #PART} bytes, each held in memory while it is read: the
 * SDK has no stream that can be cut short, and the store above asks for the next part by itself.
 */
final class AzureSource implements ObjectSource {
  /** Four mebibytes, as much as Azure serves at full speed per request. */
  static final int PART = 4 * 1024 * 1024;

  /** Accounts with a hierarchy of folders list folder by folder. */
  private static final int LISTING_WINDOW = 100_000;

  private static final String REMEDY =
      "check the account key or shared access signature and the container's access level, or read"
          + " anonymously";

  private final BlobContainerClient container;
  private final ObjectAddress folder;
  private final Duration timeout;
  private final Runnable shutdown;

  /**
   * @param timeout for one request
   * @param shutdown ends the requests under way
   */
  AzureSource(
      BlobContainerClient container, ObjectAddress folder, Duration timeout, Runnable shutdown) {
    this.container = container;
    this.folder = folder;
    this.timeout = timeout;
    this.shutdown = shutdown;
  }

  @Override
  public int listingWindow() {
    return LISTING_WINDOW;
  }

  @Override
  public ListingPage page(ListingRequest request) throws IOException {
    try {
      Iterator<PagedResponse<BlobItem>> pages = pages(request);
      if (!pages.hasNext()) {
        return new ListingPage(List.of(), List.of(), null);
      }
      PagedResponse<BlobItem> page = pages.next();
      String next = page.getContinuationToken();
      List<RemoteObject> objects = new ArrayList<>();
      List<String> groups = new ArrayList<>();
      for (BlobItem item : page.getValue()) {
        if (Boolean.TRUE.equals(item.isPrefix())) {
          groups.add(folder.name(item.getName()));
        } else if (isObject(item)) {
          objects.add(describe(item));
        }
      }
      return new ListingPage(objects, groups, next == null || next.isEmpty() ? null : next);
    } catch (RuntimeException failure) {
      throw translate(folder.toString(), failure);
    }
  }

  private Iterator<PagedResponse<BlobItem>> pages(ListingRequest request) {
    ListBlobsOptions options =
        new ListBlobsOptions()
            .setPrefix(folder.key(request.prefix()))
            .setDetails(new BlobListDetails().setRetrieveMetadata(true))
            .setMaxResultsPerPage(request.maxEntries());
    String token = request.token();
    if (token == null && !request.startAfter().isEmpty()) {
      options.setStartFrom(folder.key(request.startAfter()));
    }
    PagedIterable<BlobItem> listing =
        request.delimiter().isEmpty()
            ? container.listBlobs(options, timeout)
            : container.listBlobsByHierarchy(request.delimiter(), options, timeout);
    return (token == null ? listing.iterableByPage() : listing.iterableByPage(token)).iterator();
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    String key = folder.objectKey(name);
    try {
      BlobProperties properties =
          container
              .getBlobClient(key)
              .getPropertiesWithResponse(null, timeout, Context.NONE)
              .getValue();
      RemoteObject object =
          describe(
              name, properties.getBlobSize(), properties.getETag(), properties.getLastModified());
      return UserMetadata.details(object, properties.getContentType(), properties.getMetadata());
    } catch (RuntimeException failure) {
      throw translate(name, failure);
    }
  }

  @Override
  public ObjectBody open(String name, long offset, long length, String version) throws IOException {
    String key = folder.objectKey(name);
    long wanted = length < 0 ? PART : Math.min(length, PART);
    BlobRequestConditions conditions =
        new BlobRequestConditions().setIfMatch(version.isEmpty() ? null : version);
    try {
      BlobDownloadContentResponse answer =
          container
              .getBlobClient(key)
              .downloadContentWithResponse(
                  new DownloadRetryOptions().setMaxRetryRequests(0),
                  conditions,
                  new BlobRange(offset, wanted),
                  false,
                  timeout,
                  Context.NONE);
      return body(name, offset, wanted, answer);
    } catch (RuntimeException failure) {
      IOException trouble = translate(name, failure);
      if (trouble instanceof ChangedObjectException) {
        requireThere(name);
      }
      throw trouble;
    }
  }

  /** Tells a deleted blob, for which the service says that a condition was not met. */
  private void requireThere(String name) throws IOException {
    details(name);
  }

  @Override
  public String uri() {
    return folder.toString();
  }

  @Override
  public void close() {
    shutdown.run();
  }

  private static ObjectBody body(
      String name, long offset, long wanted, BlobDownloadContentResponse answer)
      throws IOException {
    BlobDownloadHeaders head = answer.getDeserializedHeaders();
    byte[] bytes = answer.getValue().toBytes();
    if (bytes.length == 0) {
      throw new EOFException("'" + name + "' has no bytes at offset " + offset);
    }
    ContentRange range =
        ContentRange.of(name, head.getContentRange(), bytes.length, offset, wanted);
    RemoteObject object = describe(name, range.size(), head.getETag(), head.getLastModified());
    ObjectDetails details = UserMetadata.details(object, head.getContentType(), head.getMetadata());
    return new ObjectBody(answer.getValue().toStream(), range.length(), details, () -> {});
  }

  /** Accounts with real folders list them as empty blobs marked as folders. */
  private boolean isObject(BlobItem item) {
    Map<String, String> metadata = item.getMetadata();
    return item.getName().length() > folder.path().length()
        && !(metadata != null && "true".equals(metadata.get("hdi_isfolder")));
  }

  private RemoteObject describe(BlobItem item) {
    BlobItemProperties properties = item.getProperties();
    return describe(
        folder.name(item.getName()),
        properties.getContentLength(),
        properties.getETag(),
        properties.getLastModified());
  }

  /** The service itself puts no quotes around the entity tags of its listings. */
  private static RemoteObject describe(
      String name, long size, @Nullable String tag, @Nullable OffsetDateTime modified) {
    return new RemoteObject(
        name,
        size,
        tag == null ? "" : Versions.quoted(tag),
        modified == null ? Instant.EPOCH : modified.toInstant());
  }

  private static IOException translate(String name, RuntimeException failure) {
    if (failure instanceof BlobStorageException refusal) {
      String code = refusal.getErrorCode() == null ? "" : refusal.getErrorCode().toString();
      return Refusals.of(refusal.getStatusCode(), name, code, REMEDY, retryAfter(refusal), failure);
    }
    return Refusals.unanswered(name, failure);
  }

  private static Duration retryAfter(BlobStorageException refusal) {
    String header = refusal.getResponse().getHeaders().getValue(HttpHeaderName.RETRY_AFTER);
    return header == null ? Duration.ZERO : Refusals.retryAfter(header);
  }
}
