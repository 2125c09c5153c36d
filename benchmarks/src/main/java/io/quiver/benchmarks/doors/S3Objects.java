package io.quiver.benchmarks.doors;

import io.quiver.benchmarks.BenchmarkException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * Objects of one size as files of a folder, and the paths they are asked for by.
 *
 * @param folder the bucket
 * @param prefix the folder in their keys; empty for none
 * @param files their number and bytes
 */
record S3Objects(Path folder, String prefix, MadeFiles files) {
  private static final Duration VALID = Duration.ofHours(1);

  /** Writes the files. */
  void write() throws BenchmarkException {
    try {
      Files.createDirectories(folder.resolve(prefix));
      for (int i = 0; i < files.count(); i++) {
        ByteBuffer content = ByteBuffer.allocate((int) files.bytes());
        files.copy(i, 0, content);
        content.flip();
        try (FileChannel channel =
            FileChannel.open(
                folder.resolve(key(i)), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          while (content.hasRemaining()) {
            channel.write(content);
          }
        }
      }
    } catch (IOException e) {
      throw new BenchmarkException("cannot write objects to " + folder + ": " + e.getMessage(), e);
    }
  }

  private String key(int number) {
    String name = MadeFiles.name(number);
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  /** Returns plain paths of all objects. */
  List<String> paths() {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < files.count(); i++) {
      paths.add("/" + key(i));
    }
    return paths;
  }

  /**
   * Returns paths with signatures, which servers check as they check those in headers. They are
   * made ahead of time, so that no server is measured by the speed of a client that signs.
   */
  List<String> signedPaths(int port, String accessKey, String secret) {
    List<String> paths = new ArrayList<>();
    try (S3Presigner signer =
        S3Presigner.builder()
            .region(Region.US_EAST_1)
            .endpointOverride(URI.create("http://127.0.0.1:" + port))
            .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secret)))
            .build()) {
      for (int i = 0; i < files.count(); i++) {
        String key = key(i);
        paths.add(
            signer
                .presignGetObject(asked ->
                    asked
                        .signatureDuration(VALID)
                        .getObjectRequest(get -> get.bucket(S3Process.BUCKET).key(key)))
                .url()
                .getFile());
      }
    }
    return paths;
  }
}
