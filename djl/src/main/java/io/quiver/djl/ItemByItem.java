package io.quiver.djl;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Record;
import ai.djl.translate.Batchifier;
import java.util.List;

/** Decodes one item after the other and puts them together; what lay in between goes at once. */
final class ItemByItem implements BatchDecoder {
  private final Decoder decoder;
  private final Batchifier data;
  private final Batchifier labels;

  ItemByItem(Decoder decoder, Batchifier data, Batchifier labels) {
    this.decoder = decoder;
    this.data = data;
    this.labels = labels;
  }

  @Override
  public Record decode(NDManager manager, List<ItemSample> samples) throws Exception {
    NDList[] eachData = new NDList[samples.size()];
    NDList[] eachLabels = new NDList[samples.size()];
    try (NDManager passing = manager.newSubManager()) {
      for (int i = 0; i < samples.size(); i++) {
        Record record = decode(passing, samples.get(i));
        eachData[i] = record.getData();
        eachLabels[i] = record.getLabels();
      }
      NDList allData = together(data, eachData, samples.getFirst());
      NDList allLabels = together(labels, eachLabels, samples.getFirst());
      allData.attach(manager);
      allLabels.attach(manager);
      return new Record(allData, allLabels);
    }
  }

  private Record decode(NDManager manager, ItemSample sample) throws InterruptedException {
    try {
      return decoder.decode(manager, sample);
    } catch (InterruptedException | DecodeException e) {
      throw e;
    } catch (Exception e) {
      throw DecodeException.of(sample, e);
    }
  }

  private static NDList together(Batchifier batchifier, NDList[] each, ItemSample first) {
    try {
      return batchifier.batchify(each);
    } catch (RuntimeException e) {
      throw new DecodeException(
          "a batch of "
              + each.length
              + " items that begins with "
              + first
              + " cannot be put together: "
              + DecodeException.reason(e)
              + "; give all items one shape in the decoder, or set a batchifier that pads",
          e);
    }
  }
}
