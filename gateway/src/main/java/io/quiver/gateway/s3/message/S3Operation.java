package io.quiver.gateway.s3.message;

import java.util.Set;

/** The operations that requests ask for, by method, address and subresource. */
public enum S3Operation {
  LIST_BUCKETS("ListBuckets"),
  HEAD_BUCKET("HeadBucket"),
  GET_BUCKET_LOCATION("GetBucketLocation"),
  GET_BUCKET_VERSIONING("GetBucketVersioning"),
  CREATE_BUCKET("CreateBucket"),
  LIST_OBJECTS("ListObjects"),
  LIST_OBJECTS_V2("ListObjectsV2"),
  GET_OBJECT("GetObject"),
  HEAD_OBJECT("HeadObject"),
  PUT_OBJECT("PutObject"),
  COPY_OBJECT("CopyObject"),
  DELETE_OBJECT("DeleteObject"),
  DELETE_OBJECTS("DeleteObjects"),
  CREATE_UPLOAD("CreateMultipartUpload"),
  UPLOAD_PART("UploadPart"),
  UPLOAD_PART_COPY("UploadPartCopy"),
  COMPLETE_UPLOAD("CompleteMultipartUpload"),
  ABORT_UPLOAD("AbortMultipartUpload"),
  LIST_PARTS("ListParts"),
  LIST_UPLOADS("ListMultipartUploads"),
  OTHER("Other");

  /** Subresources of S3 that this endpoint does not have. */
  private static final Set<String> ABSENT =
      Set.of(
          "accelerate",
          "acl",
          "analytics",
          "append",
          "attributes",
          "cors",
          "encryption",
          "intelligent-tiering",
          "inventory",
          "legal-hold",
          "lifecycle",
          "logging",
          "metadataTable",
          "metrics",
          "notification",
          "object-lock",
          "ownershipControls",
          "policy",
          "policyStatus",
          "publicAccessBlock",
          "renameObject",
          "replication",
          "requestPayment",
          "restore",
          "retention",
          "select",
          "session",
          "tagging",
          "torrent",
          "versions",
          "website");

  private final String label;

  S3Operation(String label) {
    this.label = label;
  }

  /** Returns its name in S3, as metrics show it. */
  public String label() {
    return label;
  }

  /** Finds the operation that a request asks for. */
  public static S3Operation of(S3Request request) {
    for (String name : request.query().names()) {
      if (ABSENT.contains(name)) {
        return OTHER;
      }
    }
    if (request.bucket().isEmpty()) {
      return request.method().equals("GET") ? LIST_BUCKETS : OTHER;
    }
    return request.key().isEmpty() ? ofBucket(request) : ofObject(request);
  }

  private static S3Operation ofBucket(S3Request request) {
    QueryParameters query = request.query();
    return switch (request.method()) {
      case "HEAD" -> HEAD_BUCKET;
      case "PUT" -> query.has("versioning") ? OTHER : CREATE_BUCKET;
      case "POST" -> query.has("delete") ? DELETE_OBJECTS : OTHER;
      case "GET" -> {
        if (query.has("location")) {
          yield GET_BUCKET_LOCATION;
        }
        if (query.has("versioning")) {
          yield GET_BUCKET_VERSIONING;
        }
        if (query.has("uploads")) {
          yield LIST_UPLOADS;
        }
        yield query.valueOrEmpty("list-type").equals("2") ? LIST_OBJECTS_V2 : LIST_OBJECTS;
      }
      default -> OTHER;
    };
  }

  private static S3Operation ofObject(S3Request request) {
    boolean upload = request.query().has("uploadId");
    boolean copy = request.field(CopySource.FIELD) != null;
    return switch (request.method()) {
      case "GET" -> upload ? LIST_PARTS : GET_OBJECT;
      case "HEAD" -> HEAD_OBJECT;
      case "PUT" ->
          upload ? copy ? UPLOAD_PART_COPY : UPLOAD_PART : copy ? COPY_OBJECT : PUT_OBJECT;
      case "POST" -> {
        if (request.query().has("uploads")) {
          yield CREATE_UPLOAD;
        }
        yield upload ? COMPLETE_UPLOAD : OTHER;
      }
      case "DELETE" -> upload ? ABORT_UPLOAD : DELETE_OBJECT;
      default -> OTHER;
    };
  }
}
