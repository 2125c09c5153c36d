package io.quiver.simulator.igt;

import io.quiver.core.stream.AccessPattern;
import io.quiver.simulator.igt.ProgramSpec.Lists;
import io.quiver.simulator.igt.ProgramSpec.Phase;
import java.util.List;

/**
 * The 18 programs of the paper's evaluation (IGTCache, Table 3) at a scale. Numbers of files shrink
 * with the scale and files stay as long as they are, except in sets of few large files. Lengths,
 * numbers of epochs, times of computing and the exponents of Zipf's law are not published; these
 * are estimates, which the documentation lists.
 */
public final class Workloads {
  /** Bytes of the cache at full scale. */
  public static final long CACHE_BYTES = 150_000_000_000L;

  /** The exponent of the skewed programs: the middle of the usual ones, 0.8 to 1.2. */
  static final double ZIPF = 1.0;

  private static final int EPOCHS = 2;
  private static final int LEAST_FILES = 16;

  /** Draws of a skewed program, in all files or blocks of its set. */
  private static final double LARGE = 2;

  private static final double SMALL = 1;

  private final double scale;
  private int sets;

  private Workloads(double scale) {
    this.scale = scale;
  }

  /** Returns the programs, in the order of their numbers. */
  public static List<ProgramSpec> at(double scale) {
    if (!(scale > 0 && scale <= 1)) {
      throw new IllegalArgumentException(
          "a scale of " + scale + "; use more than 0 and at most 1, for example 0.02");
    }
    return new Workloads(scale).all();
  }

  private FileSet set(String root, int directories, int files, double gigabytes) {
    int least = Math.min(files, LEAST_FILES);
    int count = (int) Math.max(least, Math.round(files * scale));
    long bytes = Math.max(1, Math.round(gigabytes * 1e9 * scale / count));
    int folders = Math.min(Math.max(Math.min(directories, 8), (int) (directories * scale)), count);
    return new FileSet(++sets, root, folders, count, bytes);
  }

  private static ProgramSpec job(int number, String name, AccessPattern pattern, Phase... phases) {
    return new ProgramSpec(number, name, pattern, List.of(phases));
  }

  private static Phase once(FileSet files, int workers, int batch, double millis) {
    return new Phase(files, new BlockOrder.ByName(), 1, workers, batch, millis / 1e3, Lists.ALL);
  }

  private static Phase train(FileSet files, int samplesPerBlock, double millis) {
    BlockOrder order = new BlockOrder.Shuffled(samplesPerBlock);
    return new Phase(files, order, EPOCHS, 8, 32, millis / 1e3, Lists.ALL);
  }

  private static Phase query(
      FileSet files, double reads, boolean whole, int workers, double millis) {
    BlockOrder order = new BlockOrder.Drawn(ZIPF, reads, whole);
    return new Phase(files, order, 1, workers, 1, millis / 1e3, Lists.ALL);
  }

  private List<ProgramSpec> all() {
    AccessPattern sequential = AccessPattern.SEQUENTIAL;
    AccessPattern random = AccessPattern.RANDOM;
    AccessPattern skewed = AccessPattern.SKEWED;
    FileSet audio = set("audiomnist", 60, 30_000, 2);
    FileSet fashion = set("fashionproduct", 0, 44_400, 15);
    FileSet air = set("airquality", 0, 450, 3);
    FileSet ocean = set("icoads", 2_000, 20_000, 30);
    FileSet books = set("bookcorpus", 0, 16, 4.6);
    FileSet checkpoint = set("checkpoints", 0, 1, 0.5);
    FileSet imagenet = set("imagenet/train", 1_000, 1_281_167, 138);
    FileSet imagenetTest = set("imagenet/val", 0, 50_000, 6.7);
    FileSet places = set("places/train", 365, 1_803_460, 24);
    FileSet placesTest = set("places/val", 0, 36_500, 0.5);
    FileSet tables = set("lakebench", 0, 30_000, 60);
    FileSet wiki = set("wikipedia", 0, 253, 117);
    FileSet chats = set("llava", 0, 1, 0.229);
    FileSet coco = set("coco/train2017", 0, 118_287, 19.3);
    Phase slice = new Phase(ocean, new BlockOrder.Slice(3), 1, 4, 1, 0.02, Lists.ROOT);
    return List.of(
        job(1, "AudioMNIST VGG16 training, shuffled in memory", sequential, once(audio, 8, 32, 3)),
        job(2, "FashionProduct VGG16 test", sequential, once(fashion, 8, 32, 3)),
        job(3, "AirQuality analysis", sequential, once(air, 4, 1, 60)),
        job(4, "ICOADS marine analysis of one region", sequential, slice),
        job(5, "BookCorpus preprocessing", sequential, once(books, 4, 16, 60)),
        job(6, "OPT-125M checkpoint loading", sequential, once(checkpoint, 1, 1, 1)),
        job(7, "OPT-125M finetuning on BookCorpus", random, train(books, 16, 10)),
        job(8, "ImageNet ResNet-50 test", sequential, once(imagenetTest, 8, 32, 1.5)),
        job(9, "ImageNet ResNet-50 training", random, train(imagenet, 1, 2.8)),
        job(10, "ImageNet AlexNet training", random, train(imagenet, 1, 0.5)),
        job(11, "MITPlaces AlexNet test", sequential, once(placesTest, 8, 32, 0.4)),
        job(12, "MITPlaces ResNet-50 training", random, train(places, 1, 2.8)),
        job(13, "MITPlaces AlexNet training", random, train(places, 1, 0.5)),
        job(14, "LakeBench table join", skewed, query(tables, LARGE, true, 4, 40)),
        job(15, "LakeBench table union", skewed, query(tables, LARGE, true, 4, 40)),
        job(16, "Wikipedia RAG, large", skewed, query(wiki, LARGE, false, 4, 40)),
        job(17, "Wikipedia RAG, small", skewed, query(wiki, SMALL, false, 4, 20)),
        job(
            18,
            "LLaVA finetuning on text and COCO",
            random,
            once(chats, 1, 1, 10),
            new Phase(coco, new BlockOrder.Shuffled(1), EPOCHS, 16, 32, 5 / 1e3, Lists.ALL)));
  }
}
