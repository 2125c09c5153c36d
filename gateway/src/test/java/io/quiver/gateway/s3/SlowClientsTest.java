package io.quiver.gateway.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** Clients that take or give their bytes too slowly: they are cut, and others notice nothing. */
@Timeout(120)
final class SlowClientsTest {
  private static final int LONG = 16 << 20;
  private static final int MANY = 30;

  private final HttpClient http = HttpClient.newHttpClient();
  private final byte[] bytes = new byte[LONG];
  private GatewayScene scene;

  @BeforeEach
  void open(@TempDir Path folder) throws Exception {
    new Random(4).nextBytes(bytes);
    GatewayConfig.Limits limits =
        new GatewayConfig.Limits(
            200, Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(2), 1 << 20);
    scene = GatewayScene.start(folder, config -> config.withLimits(limits), GatewayScene.ownKey());
    scene.put("long", bytes);
    scene.put("short", new byte[] {'o', 'k'});
  }

  @AfterEach
  void close() throws IOException {
    http.close();
    scene.close();
  }

  private int cut() throws IOException, InterruptedException {
    String text =
        http.send(HttpRequest.newBuilder(scene.uri("/metrics")).build(), BodyHandlers.ofString())
            .body();
    return text.lines()
        .filter(line -> line.startsWith("quiver_s3_connections_cut_total "))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' '))))
        .findFirst()
        .orElseThrow(() -> new AssertionError(text));
  }

  private void assertServes() {
    assertThat(scene.client().getObjectAsBytes(r -> r.bucket("data").key("short")).asUtf8String())
        .isEqualTo("ok");
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.connect(scene.gateway.address());
    return socket;
  }

  private String presigned() throws Exception {
    URI uri =
        scene
            .presigner()
            .presignGetObject(r ->
                r.signatureDuration(Duration.ofMinutes(5))
                    .getObjectRequest(g -> g.bucket("data").key("long")))
            .url()
            .toURI();
    return "GET "
        + uri.getRawPath()
        + "?"
        + uri.getRawQuery()
        + " HTTP/1.1\r\nHost: "
        + uri.getAuthority()
        + "\r\n\r\n";
  }

  /** Writes single bytes until the connection is cut. */
  private void trickle(OutputStream out) throws Exception {
    Await.until(
        "the connection is cut",
        () -> {
          try {
            out.write('x');
          } catch (IOException closed) {
            return cut() > 0;
          }
          return cut() > 0;
        });
  }

  @Test
  void anUploadThatStandsStillIsCutAndLeavesNoObject() throws Exception {
    for (String bucket : List.of("data", "files")) {
      int before = cut();
      SignedUpload upload = SignedUpload.of(scene.gateway.uri(), bucket + "/half", bytes, true);
      try (Socket socket = connect()) {
        socket.getOutputStream().write(upload.headBytes());
        socket.getOutputStream().write(upload.body(), 0, 1 << 20);
        Await.until("the connection is cut", () -> cut() > before);
      }
    }
    Await.until("nothing is left in the folder", () -> isEmpty(scene.folder));
    try (S3Client client = scene.builder(GatewayScene.KEY, GatewayScene.SECRET).build()) {
      assertThat(client.listObjectsV2(r -> r.bucket("data").prefix("half")).contents()).isEmpty();
    }
    assertServes();
  }

  private static boolean isEmpty(Path folder) {
    String[] names = folder.toFile().list();
    return names != null && names.length == 0;
  }

  @Test
  void anUploadOfSingleBytesIsCut() throws Exception {
    SignedUpload upload = SignedUpload.of(scene.gateway.uri(), "files/drops", bytes, false);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(upload.headBytes());
      trickle(socket.getOutputStream());
    }
    Await.until("nothing is left in the folder", () -> isEmpty(scene.folder));
    assertServes();
  }

  @Test
  void aHeadThatDoesNotEndIsCut() throws Exception {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write("GET /data/long HTTP/1.1\r\nX-Long: ".getBytes(StandardCharsets.US_ASCII));
      trickle(socket.getOutputStream());
    }
    assertServes();
  }

  @Test
  void aReaderOfFewBytesIsCut() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(presigned().getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      long[] taken = {0};
      Await.until(
          "the connection is cut",
          () -> {
            taken[0] += in.readNBytes(10).length;
            return cut() > 0;
          });
      assertThat(taken[0]).isLessThan(LONG / 2);
    }
    assertServes();
  }

  @Test
  void manyReadersWhoStandStillKeepNobodyWaiting() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < MANY; i++) {
        Socket socket = connect();
        idle.add(socket);
        socket.getOutputStream().write(presigned().getBytes(StandardCharsets.US_ASCII));
      }
      assertServes();
      assertThat(scene.client().getObjectAsBytes(r -> r.bucket("data").key("long")).asByteArray())
          .isEqualTo(bytes);
      Await.until("all are cut", () -> cut() >= MANY);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
    assertServes();
  }
}
