package io.quiver.gateway.s3;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** An upload that the SDK's signer signed, as bytes on the wire that a test may change. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SignedUpload(String head, byte[] body) {

  /**
   * Signs an upload with the scene's key.
   *
   * @param endpoint the address that the signature covers
   * @param path bucket and key
   * @param chunks true to sign every chunk, false to sign the whole payload
   * @param fields names and values of further header fields
   */
  static SignedUpload of(URI endpoint, String path, byte[] bytes, boolean chunks, String... fields)
      throws IOException {
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.PUT)
            .uri(endpoint)
            .encodedPath("/" + path)
            .putHeader("Host", endpoint.getAuthority())
            .putHeader("Content-Length", Integer.toString(bytes.length));
    for (int i = 0; i < fields.length; i += 2) {
      request.putHeader(fields[i], fields[i + 1]);
    }
    SignedRequest signed =
        AwsV4HttpSigner.create()
            .sign(r ->
                r.identity(AwsCredentialsIdentity.create(GatewayScene.KEY, GatewayScene.SECRET))
                    .request(request.build())
                    .payload(ContentStreamProvider.fromByteArray(bytes))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                    .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true)
                    .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, chunks));
    StringBuilder head = new StringBuilder("PUT /" + path + " HTTP/1.1\r\n");
    signed
        .request()
        .headers()
        .forEach((name, values) ->
            head.append(name).append(": ").append(values.getFirst()).append("\r\n"));
    try (InputStream body = signed.payload().orElseThrow().newStream()) {
      return new SignedUpload(head + "Connection: close\r\n\r\n", body.readAllBytes());
    }
  }

  byte[] headBytes() {
    return head.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns a copy with another head. */
  SignedUpload withHead(String other) {
    return new SignedUpload(other, body);
  }

  /** Sends it and returns the whole answer. */
  String send(URI endpoint) throws IOException {
    return send(endpoint, body);
  }

  /** Sends it with another body and returns the whole answer. */
  String send(URI endpoint, byte[] other) throws IOException {
    try (Socket socket = new Socket(endpoint.getHost(), endpoint.getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(headBytes());
      out.write(other);
      socket.shutdownOutput();
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(answer);
      return answer.toString(StandardCharsets.UTF_8);
    }
  }
}
