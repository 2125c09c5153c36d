package io.quiver.djl;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.modality.cv.Image;
import ai.djl.modality.cv.transform.ToTensor;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.dataset.Batch;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestBuilder;
import io.quiver.remote.ingest.DigestProgress;
import io.quiver.remote.ingest.IngestOptions;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageDecoderTest {
  private static final int SIDE = 6;

  @TempDir private Path folder;

  /** Folders of one colour each, as an image folder has one for each class. */
  private Path digest() throws Exception {
    Path images = folder.resolve("images");
    int[] colours = {0xff0000, 0x0000ff};
    for (int label = 0; label < colours.length; label++) {
      Path own = Files.createDirectories(images.resolve("class-" + label));
      for (int i = 0; i < 5; i++) {
        write(own.resolve(i + ".png"), colours[label]);
      }
    }
    Path digest = folder.resolve("images.qdg");
    try (FileStore store = FileStore.open(images)) {
      DigestBuilder.build(store, digest, IngestOptions.defaults(), new DigestProgress());
    }
    return digest;
  }

  private static void write(Path file, int colour) throws IOException {
    BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < SIDE * SIDE; i++) {
      image.setRGB(i % SIDE, i / SIDE, colour);
    }
    ImageIO.write(image, "png", file.toFile());
  }

  @Test
  void anImageFolderBecomesTensorsWithTheFoldersLabels() throws Exception {
    try (QuiverDataset dataset =
            QuiverDataset.builder()
                .setDigest(digest())
                .setDecoder(new ImageDecoder(new ToTensor()))
                .optBatchSize(4)
                .build();
        NDManager manager = NDManager.newBaseManager()) {
      Set<Integer> seen = new HashSet<>();
      for (Batch batch : dataset.getData(manager)) {
        NDArray pixels = batch.getData().singletonOrThrow();
        assertThat(pixels.getShape()).isEqualTo(new Shape(batch.getSize(), 3, SIDE, SIDE));
        long[] labels = batch.getLabels().singletonOrThrow().toLongArray();
        for (int place = 0; place < batch.getSize(); place++) {
          float red = pixels.getFloat(place, 0, 0, 0);
          float blue = pixels.getFloat(place, 2, SIDE - 1, SIDE - 1);
          assertThat(new float[] {red, blue})
              .containsExactly(labels[place] == 0 ? 1 : 0, labels[place] == 0 ? 0 : 1);
        }
        seen.addAll(Walks.items(batch));
        batch.close();
      }
      assertThat(seen).hasSize(10);
      assertThat(manager.getManagedArrays()).isEmpty();
    }
  }

  @Test
  void shadesOfGreyHaveOneChannel() throws Exception {
    try (QuiverDataset dataset =
            QuiverDataset.builder()
                .setDigest(digest())
                .setDecoder(new ImageDecoder(Image.Flag.GRAYSCALE, new ToTensor()))
                .optBatchSize(10)
                .build();
        NDManager manager = NDManager.newBaseManager();
        Batch batch = dataset.getData(manager).iterator().next()) {
      assertThat(batch.getData().singletonOrThrow().getShape())
          .isEqualTo(new Shape(10, 1, SIDE, SIDE));
    }
  }
}
