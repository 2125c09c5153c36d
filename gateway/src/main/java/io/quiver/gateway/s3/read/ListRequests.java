package io.quiver.gateway.s3.read;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.s3.message.ObjectKey;
import io.quiver.gateway.s3.message.ObjectTag;
import io.quiver.gateway.s3.message.PercentCoding;
import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Time;
import io.quiver.gateway.s3.message.XmlAnswer;
import io.quiver.gateway.s3.signature.S3Call;
import io.quiver.gateway.s3.store.Buckets;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Answers ListObjectsV2 and the older ListObjects from a bucket's door. */
public final class ListRequests {
  /** Pages without an entry that are passed over for one answer. */
  private static final int MOST_EMPTY_PAGES = 1000;

  private final Buckets buckets;

  public ListRequests(Buckets buckets) {
    this.buckets = buckets;
  }

  /**
   * The parameters that both versions share.
   *
   * @param start the name behind which the listing begins; empty for the beginning
   * @param token the page's token; null for the first page
   */
  private record Question(
      String prefix, String delimiter, String start, @Nullable String token, int most) {
    static Question of(S3Call call, String start, @Nullable String token) throws S3Failure {
      int wanted = call.request().query().number("max-keys", 0, Integer.MAX_VALUE, 1000);
      return new Question(
          ObjectKey.requirePrefix(call.parameter("prefix")),
          call.parameter("delimiter"),
          start,
          token,
          Math.min(wanted, ListingRequest.MAX_ENTRIES));
    }
  }

  /** Answers ListObjectsV2. */
  public void second(S3Call call) throws IOException, S3Failure {
    String token = call.request().query().value("continuation-token");
    String start = call.parameter("start-after");
    Question question = Question.of(call, start, token == null ? null : decodeToken(token));
    ListingPage page = page(call, question);
    UnaryOperator<String> coding = coding(call);
    XmlAnswer xml = begin(call, question, coding);
    xml.element("KeyCount", Integer.toString(page.objects().size() + page.groups().size()))
        .element("ContinuationToken", token)
        .element("StartAfter", start.isEmpty() ? null : coding.apply(start))
        .element("IsTruncated", Boolean.toString(page.next() != null))
        .element("NextContinuationToken", page.next() == null ? null : encodeToken(page.next()));
    entries(xml, page, coding, call.parameter("fetch-owner").equals("true"));
    call.answer(xml);
  }

  /** Answers ListObjects, whose pages begin behind a name. */
  public void first(S3Call call) throws IOException, S3Failure {
    String marker = call.parameter("marker");
    Question question = Question.of(call, marker, null);
    ListingPage page = behind(marker, page(call, question));
    UnaryOperator<String> coding = coding(call);
    XmlAnswer xml = begin(call, question, coding);
    xml.element("Marker", coding.apply(marker))
        .element("IsTruncated", Boolean.toString(page.next() != null))
        .element("NextMarker", page.next() == null ? null : coding.apply(last(page)));
    entries(xml, page, coding, true);
    call.answer(xml);
  }

  /** Leaves out a group that the marker names: all of it was listed before. */
  private static ListingPage behind(String marker, ListingPage page) {
    List<String> groups =
        page.groups().stream().filter(group -> NameOrder.UTF_8.compare(group, marker) > 0).toList();
    return new ListingPage(page.objects(), groups, page.next());
  }

  private static String last(ListingPage page) {
    String object = page.objects().isEmpty() ? "" : page.objects().getLast().name();
    String group = page.groups().isEmpty() ? "" : page.groups().getLast();
    return NameOrder.UTF_8.compare(object, group) > 0 ? object : group;
  }

  private ListingPage page(S3Call call, Question question) throws IOException, S3Failure {
    String bucket = call.request().bucket();
    call.caller().require(false, bucket, question.prefix);
    Door door = buckets.open(bucket, call.caller().key()).door();
    if (question.most == 0) {
      return new ListingPage(List.of(), List.of(), null);
    }
    ListingRequest request =
        new ListingRequest(
            question.prefix, question.delimiter, question.start, question.token, question.most);
    ListingPage page = door.list(request);
    // Clients of the first version find the next page by the last name of this one.
    for (int i = 0; isEmpty(behind(question.start, page)); i++) {
      String next = page.next();
      if (next == null) {
        break;
      }
      if (i == MOST_EMPTY_PAGES) {
        throw S3Failure.of(
            S3Code.SERVICE_UNAVAILABLE, "The store lists nothing but empty pages; try again.");
      }
      page = door.list(request.after(next));
    }
    return page;
  }

  private static boolean isEmpty(ListingPage page) {
    return page.objects().isEmpty() && page.groups().isEmpty();
  }

  private static XmlAnswer begin(S3Call call, Question question, UnaryOperator<String> coding) {
    XmlAnswer xml = XmlAnswer.of("ListBucketResult");
    xml.element("Name", call.request().bucket())
        .element("Prefix", coding.apply(question.prefix))
        .element(
            "Delimiter", question.delimiter.isEmpty() ? null : coding.apply(question.delimiter))
        .element("MaxKeys", Integer.toString(question.most))
        .element("EncodingType", isCoded(call) ? "url" : null);
    return xml;
  }

  private static void entries(
      XmlAnswer xml, ListingPage page, UnaryOperator<String> coding, boolean owner) {
    for (RemoteObject object : page.objects()) {
      String tag = ObjectTag.of(object);
      xml.open("Contents")
          .element("Key", coding.apply(object.name()))
          .element("LastModified", S3Time.document(object.modified()))
          .element("ETag", tag.isEmpty() ? null : tag)
          .element("Size", Long.toString(object.size()))
          .element("StorageClass", "STANDARD");
      if (owner) {
        xml.owner("Owner");
      }
      xml.close();
    }
    for (String group : page.groups()) {
      xml.open("CommonPrefixes").element("Prefix", coding.apply(group)).close();
    }
  }

  private static boolean isCoded(S3Call call) {
    return call.parameter("encoding-type").equals("url");
  }

  private static UnaryOperator<String> coding(S3Call call) throws S3Failure {
    String wanted = call.parameter("encoding-type");
    if (!wanted.isEmpty() && !isCoded(call)) {
      throw S3Failure.of(S3Code.INVALID_ARGUMENT, "Invalid Encoding Method specified in Request")
          .with(Map.of("ArgumentName", "encoding-type", "ArgumentValue", wanted));
    }
    return isCoded(call) ? PercentCoding::encodePath : UnaryOperator.identity();
  }

  private static String encodeToken(String next) {
    return Base64.getUrlEncoder().encodeToString(next.getBytes(StandardCharsets.UTF_8));
  }

  private static String decodeToken(String token) throws S3Failure {
    try {
      return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw S3Failure.of(S3Code.INVALID_ARGUMENT, "The continuation token provided is incorrect")
          .with(Map.of("ArgumentName", "continuation-token"));
    }
  }
}
