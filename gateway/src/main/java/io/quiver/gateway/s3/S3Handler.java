package io.quiver.gateway.s3;

import io.quiver.gateway.s3.message.S3Code;
import io.quiver.gateway.s3.message.S3Failure;
import io.quiver.gateway.s3.message.S3Operation;
import io.quiver.gateway.s3.message.S3Request;
import io.quiver.gateway.s3.message.XmlAnswer;
import io.quiver.gateway.s3.payload.Documents;
import io.quiver.gateway.s3.payload.PayloadFailure;
import io.quiver.gateway.s3.read.BucketRequests;
import io.quiver.gateway.s3.read.ListRequests;
import io.quiver.gateway.s3.read.ObjectReads;
import io.quiver.gateway.s3.signature.Authenticator;
import io.quiver.gateway.s3.signature.Caller;
import io.quiver.gateway.s3.signature.S3Call;
import io.quiver.gateway.s3.store.Buckets;
import io.quiver.gateway.s3.write.MultipartRequests;
import io.quiver.gateway.s3.write.WriteRequests;
import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.RequestHandler;
import io.quiver.http.SiteCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes every request of the endpoint: finds out who asks for what, and answers in S3's terms. */
public final class S3Handler implements RequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(S3Handler.class);

  private final GatewayConfig config;
  private final GatewayMetrics metrics;
  private final Authenticator authenticator;
  private final SiteCheck sites;
  private final Map<S3Operation, OperationHandler> operations = new EnumMap<>(S3Operation.class);
  private final AtomicLong numbers = new AtomicLong(ThreadLocalRandom.current().nextLong());

  /** Answers one kind of request. */
  @FunctionalInterface
  private interface OperationHandler {
    void answer(S3Call call) throws IOException, S3Failure, Refusal;
  }

  S3Handler(
      GatewayConfig config,
      Buckets buckets,
      ByteBudget documents,
      GatewayMetrics metrics,
      InstantSource clock) {
    this.config = config;
    this.metrics = metrics;
    this.authenticator = new Authenticator(config.keys(), clock);
    this.sites = new SiteCheck(!config.keys().areAnonymous());
    BucketRequests bucketRequests = new BucketRequests(buckets, config.region(), clock.instant());
    ObjectReads reads = new ObjectReads(buckets);
    ListRequests listings = new ListRequests(buckets);
    operations.put(S3Operation.LIST_BUCKETS, bucketRequests::list);
    operations.put(S3Operation.HEAD_BUCKET, bucketRequests::head);
    operations.put(S3Operation.GET_BUCKET_LOCATION, bucketRequests::location);
    operations.put(S3Operation.GET_BUCKET_VERSIONING, bucketRequests::versioning);
    operations.put(S3Operation.CREATE_BUCKET, bucketRequests::create);
    operations.put(S3Operation.LIST_OBJECTS, listings::first);
    operations.put(S3Operation.LIST_OBJECTS_V2, listings::second);
    operations.put(S3Operation.GET_OBJECT, reads::read);
    operations.put(S3Operation.HEAD_OBJECT, reads::read);
    addWrites(buckets, new Documents(documents), clock);
  }

  private void addWrites(Buckets buckets, Documents documents, InstantSource clock) {
    WriteRequests writes = new WriteRequests(buckets, documents, clock);
    MultipartRequests uploads = new MultipartRequests(buckets, documents, clock);
    operations.put(S3Operation.PUT_OBJECT, writes::put);
    operations.put(S3Operation.COPY_OBJECT, writes::copy);
    operations.put(S3Operation.DELETE_OBJECT, writes::delete);
    operations.put(S3Operation.DELETE_OBJECTS, writes::deleteAll);
    operations.put(S3Operation.CREATE_UPLOAD, uploads::begin);
    operations.put(S3Operation.UPLOAD_PART, uploads::part);
    operations.put(S3Operation.UPLOAD_PART_COPY, uploads::partCopy);
    operations.put(S3Operation.COMPLETE_UPLOAD, uploads::complete);
    operations.put(S3Operation.ABORT_UPLOAD, uploads::abort);
    operations.put(S3Operation.LIST_PARTS, uploads::parts);
    operations.put(S3Operation.LIST_UPLOADS, uploads::uploads);
  }

  @Override
  public boolean decodesTargets() {
    return true;
  }

  @Override
  public void handle(Exchange exchange) throws IOException {
    if (exchange.method().equals("GET") && exchange.rawPath().equals("/healthz")) {
      exchange.answer(200, "text/plain", "ok\n".getBytes(StandardCharsets.US_ASCII));
      return;
    }
    if (exchange.method().equals("GET") && exchange.rawPath().equals("/metrics")) {
      exchange.answer(200, GatewayMetrics.CONTENT_TYPE, metrics.text());
      return;
    }
    String id = HexFormat.of().withUpperCase().toHexDigits(numbers.getAndIncrement());
    try {
      serve(exchange, id);
    } catch (S3Failure failure) {
      refuse(exchange, id, failure);
    } catch (Refusal refusal) {
      if (refusal.lastRequest()) {
        exchange.makeLast();
      }
      refuse(exchange, id, S3Failure.of(refusal));
    } catch (PayloadFailure failure) {
      exchange.makeLast();
      refuse(exchange, id, failure.failure());
    } catch (IOException failure) {
      if (exchange.answered()) {
        throw failure;
      }
      refuse(exchange, id, S3Failure.of(failure));
    } catch (RuntimeException e) {
      LOG.error("request {} failed inside the endpoint", id, e);
      if (exchange.answered()) {
        throw new IOException("an answer broke off half way", e);
      }
      exchange.makeLast();
      refuse(
          exchange,
          id,
          S3Failure.of(
              S3Code.INTERNAL_ERROR, "The endpoint failed; its log has the cause at " + id));
    }
  }

  private void serve(Exchange exchange, String id) throws IOException, S3Failure, Refusal {
    if (config.keys().areAnonymous()) {
      sites.check(exchange);
    }
    S3Request request = S3Request.of(exchange, id, config.domains());
    S3Operation operation = S3Operation.of(request);
    metrics.begin(exchange, operation);
    Caller caller = authenticator.identify(request);
    OperationHandler handler = operations.get(operation);
    if (handler == null) {
      throw S3Failure.of(
          S3Code.NOT_IMPLEMENTED,
          "A header or query you provided implies functionality that is not implemented.");
    }
    handler.answer(new S3Call(request, caller));
  }

  private void refuse(Exchange exchange, String id, S3Failure failure) throws IOException {
    if (exchange.answered()) {
      throw new IOException("an answer broke off half way", failure);
    }
    if (failure.status() == 500 || failure.status() == 503) {
      LOG.warn("request {}: {} {}", id, failure.code(), failure.message());
    }
    XmlAnswer xml =
        XmlAnswer.plain("Error")
            .element("Code", failure.code())
            .element("Message", failure.message());
    failure.details().forEach(xml::element);
    xml.element("Resource", exchange.rawPath()).element("RequestId", id);
    Map<String, String> fields = new LinkedHashMap<>(failure.fields());
    fields.put(S3Request.ID_FIELD, id);
    exchange.answer(failure.status(), XmlAnswer.CONTENT_TYPE, xml.bytes(), fields);
  }
}
