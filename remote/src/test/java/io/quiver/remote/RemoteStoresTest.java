package io.quiver.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.remote.open.RemoteStores;
import io.quiver.remote.retry.ReorderingListing;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Addresses, names and their order. */
final class RemoteStoresTest {
  @TempDir Path folder;

  @Test
  void pathsAndFileAddressesAreFoldersOrSingleFiles() throws IOException {
    Path data = Files.createDirectories(folder.resolve("da ta"));
    Files.writeString(data.resolve("one.idx"), "x");
    Files.writeString(data.resolve("two.idx"), "yy");
    for (String address :
        List.of(
            data.toString(),
            data + "/",
            data.toUri().toString(),
            "file://" + data.toUri().getRawPath())) {
      try (RemoteStore store = RemoteStores.open(address, RemoteConfig.DEFAULT)) {
        assertThat(store.list(""))
            .extracting(RemoteObject::name)
            .containsExactly("one.idx", "two.idx");
        try (RemoteStore again = RemoteStores.open(store.uri(), RemoteConfig.DEFAULT)) {
          assertThat(again.uri()).isEqualTo(store.uri());
        }
      }
    }
    URI file = data.resolve("two.idx").toUri();
    try (RemoteStore store = RemoteStores.open(file, RemoteConfig.DEFAULT)) {
      assertThat(store.list("")).extracting(RemoteObject::name).containsExactly("two.idx");
      assertThat(store.list("t")).hasSize(1);
      assertThat(store.list("o")).isEmpty();
      assertThat(store.stat("two.idx").size()).isEqualTo(2);
      assertThatThrownBy(() -> store.stat("one.idx")).isInstanceOf(NoSuchFileException.class);
      assertThat(store.uri()).isEqualTo(file.toString());
    }
  }

  @Test
  void unusableAddressesAreRefusedWithoutShowingSecrets() {
    for (String address :
        List.of(
            "ftp://user:hidden@host/x?sig=hidden",
            "https://user:hidden@host/x.tar?sig=hidden",
            "https://host/folder/?sig=hidden",
            "s3://",
            "s3:///x?hidden",
            "az://container/x?sig=hidden",
            "@s3://bucket/list?hidden")) {
      assertThatThrownBy(() -> RemoteStores.open(address, RemoteConfig.DEFAULT).close())
          .as(address)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining("hidden");
    }
    assertThatThrownBy(() -> RemoteStores.open(folder + "/gone", RemoteConfig.DEFAULT).close())
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void bucketAddressesAreTakenLiterally() {
    ObjectAddress address = ObjectAddress.parse("s3://b.c-d/a b%20/c?d");
    assertThat(address).isEqualTo(new ObjectAddress("s3", "b.c-d", "a b%20/c?d"));
    assertThat(address.lastPart()).isEqualTo("c?d");
    assertThat(address.parent().toString()).isEqualTo("s3://b.c-d/a b%20/");
    assertThat(address.asFolder().key("x")).isEqualTo("a b%20/c?d/x");
    assertThat(ObjectAddress.parse("s3://b").isFolder()).isTrue();
    assertThat(ObjectAddress.parse("s3://b").toString()).isEqualTo("s3://b/");
  }

  @Test
  void configurationNeverPrintsSecrets() {
    RemoteConfig config =
        RemoteConfig.DEFAULT.withAzure(
            AzureConfig.DEFAULT
                .withAccountKey(Secret.of("hidden"))
                .withSasToken(Secret.of("hidden"))
                .withConnectionString(Secret.of("hidden")));
    assertThat(config.toString()).contains("azure").doesNotContain("hidden");
  }

  @Test
  void namesCompareAsTheirBytes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int[] points = {
      'a', 'b', '/', '-', 0xe9, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff
    };
    for (int i = 0; i < 20_000; i++) {
      String left = randomName(random, points);
      String right = randomName(random, points);
      int expected =
          Arrays.compareUnsigned(
              left.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
      assertThat(Integer.signum(NameOrder.UTF_8.compare(left, right)))
          .as("seed %d: %s %s", seed, left, right)
          .isEqualTo(Integer.signum(expected));
    }
  }

  private static String randomName(Random random, int[] points) {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      name.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return name.toString();
  }

  @Test
  void listingsOutOfOrderAreMendedWithinTheWindowAndRefusedBeyond() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    TreeSet<String> sorted = new TreeSet<>(NameOrder.UTF_8);
    for (int i = 0; i < 500; i++) {
      sorted.add(Integer.toString(random.nextInt(100_000)));
    }
    List<RemoteObject> shuffled = new ArrayList<>();
    sorted.forEach(name -> shuffled.add(new RemoteObject(name, 0, "")));
    for (int i = 0; i + 5 < shuffled.size(); i += 5) {
      Collections.shuffle(shuffled.subList(i, i + 5), random);
    }
    Iterator<RemoteObject> mended = new ReorderingListing(shuffled.iterator(), 5, "s3://b/");
    List<String> names = new ArrayList<>();
    mended.forEachRemaining(object -> names.add(object.name()));
    assertThat(names).as("seed %d", seed).containsExactlyElementsOf(sorted);

    List<RemoteObject> reversed = shuffled.reversed();
    Iterator<RemoteObject> hopeless = new ReorderingListing(reversed.iterator(), 5, "s3://b/");
    assertThatThrownBy(() -> hopeless.forEachRemaining(object -> names.add(object.name())))
        .hasRootCauseInstanceOf(IOException.class)
        .hasMessageContaining("UTF-8");
  }
}
