package io.quiver.benchmarks.demo.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.ingest.DigestProgress;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SyntheticImagesTest {
  @TempDir Path folder;

  @Test
  void theSeedDecidesEveryByteAndAnotherSeedGivesOthers() {
    SyntheticImages images = new SyntheticImages(100, 1000, 10, 5);
    SyntheticImages same = new SyntheticImages(100, 1000, 10, 5);
    SyntheticImages other = new SyntheticImages(100, 1000, 10, 6);
    for (int item = 0; item < 100; item++) {
      assertThat(images.content(item)).isEqualTo(same.content(item)).hasSize(images.size(item));
      assertThat(images.content(item)).isNotEqualTo(other.content(item));
    }
    assertThat(images.content(1)).isNotEqualTo(images.content(2));
  }

  @Test
  void sizesSpreadAroundTheAverage() {
    SyntheticImages images = new SyntheticImages(20_000, 20_000, 100, 1);
    double[] sizes = IntStream.range(0, 20_000).mapToDouble(images::size).sorted().toArray();
    double average = IntStream.range(0, 20_000).mapToDouble(images::size).average().orElseThrow();
    assertThat(average).isCloseTo(20_000, within(300.0));
    assertThat(sizes[2_000]).isLessThan(13_000);
    assertThat(sizes[18_000]).isGreaterThan(27_000);
    assertThat(sizes[0]).isPositive();
  }

  @Test
  void contentCannotBeCompressed() throws Exception {
    byte[] content = new SyntheticImages(1, 100_000, 1, 1).content(0);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(packed)) {
      out.write(content);
    }
    assertThat(packed.size()).isGreaterThan(content.length * 99 / 100);
  }

  @Test
  void refusesNumbersThatMakeNoDataSet() {
    assertThatThrownBy(() -> new SyntheticImages(5, 100, 6, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("6 classes");
  }

  @Test
  void theFolderHasItemsInOrderOfClassAndADigestOfThem() throws Exception {
    SyntheticImages images = new SyntheticImages(50, 500, 7, 3);
    ImageFolder onDisk = new ImageFolder(images, folder);
    assertThat(onDisk.isComplete()).isFalse();
    onDisk.writeItems(_ -> {});
    assertThat(onDisk.isComplete()).isFalse();
    onDisk.writeDigest(new DigestProgress());
    assertThat(onDisk.isComplete()).isTrue();
    try (DigestFile file = DigestFile.open(onDisk.digest())) {
      DatasetDigest digest = file.digest();
      assertThat(digest.itemCount()).isEqualTo(50);
      assertThat(digest.classNames()).hasSize(7);
      for (int item = 0; item < 50; item++) {
        assertThat(digest.label(item)).isEqualTo(images.classOf(item));
        assertThat(digest.size(item)).isEqualTo(images.size(item));
      }
    }
    Files.delete(onDisk.items().resolve(images.name(8)));
    assertThat(onDisk.isComplete()).isFalse();
  }
}
