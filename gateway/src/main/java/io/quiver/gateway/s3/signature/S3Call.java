package io.quiver.gateway.s3.signature;

import io.quiver.gateway.s3.message.S3Request;
import io.quiver.gateway.s3.message.XmlAnswer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One request whose maker is known, on its way to the operation it asks for.
 *
 * @param request the request
 * @param caller who makes it
 */
public record S3Call(S3Request request, Caller caller) {
  /** Returns the header fields that every answer has. */
  public Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(S3Request.ID_FIELD, request.id());
    return fields;
  }

  /** Answers with a document. */
  public void answer(XmlAnswer document) throws IOException {
    request.exchange().answer(200, XmlAnswer.CONTENT_TYPE, document.bytes(), fields());
  }

  /** Answers without a body. */
  public void answer(int status, Map<String, String> further) throws IOException {
    Map<String, String> fields = fields();
    fields.putAll(further);
    request.exchange().answer(status, XmlAnswer.CONTENT_TYPE, new byte[0], fields);
  }

  /** Returns a parameter of the query, or the empty text. */
  public String parameter(String name) {
    return request.query().valueOrEmpty(name);
  }
}
