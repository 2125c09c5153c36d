package io.quiver.core.dataset;

import io.quiver.core.hash.ContentHash;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The contents of the digests under test-vectors/digest, by file name without extension. */
final class GoldenDigests {
  private GoldenDigests() {}

  static Map<String, DigestEncoder> all() {
    Map<String, DigestEncoder> all = new LinkedHashMap<>();
    all.put("plain-files", plainFiles());
    all.put("tar-members", tarMembers());
    all.put("fixed-records", fixedRecords());
    all.put("labels", labels());
    all.put("lengths", lengths());
    all.put("duplicates", duplicates());
    all.put("zero-byte-item", zeroByteItem());
    all.put("unicode-names", unicodeNames());
    all.put("empty", noted("file:///data/empty/", "files"));
    return all;
  }

  private static DigestEncoder plainFiles() {
    return noted("file:///data/plain/", "files")
        .add(whole("a.txt", "alpha"))
        .add(whole("b.txt", "beta"))
        .add(whole("folder/c.txt", "gamma, a little longer"));
  }

  static DigestEncoder tarMembers() {
    return noted("s3://bucket/shards/", "tar")
        .add(member("shard-000.tar", 512, "0001.jpg", "first image"))
        .add(member("shard-000.tar", 1536, "0001.cls", "7"))
        .add(member("shard-001.tar", 512, "0002.jpg", "second image"))
        .add(member("shard-001.tar", 1536, "0002.cls", "3"));
  }

  private static DigestEncoder fixedRecords() {
    DigestEncoder encoder = noted("file:///data/records/", "records");
    encoder.metadata(DigestMetadata.RECORDS, "0+10, label at 0");
    for (int i = 0; i < 5; i++) {
      String record = (char) i + "record " + i + "!";
      encoder.add(new DigestItem(hash(record), 10, "batch.bin", 10L * i, "", i, DigestItem.NONE));
    }
    return encoder;
  }

  static DigestEncoder labels() {
    return noted("file:///data/images/", "files")
        .classNames(List.of("cat", "dog"))
        .add(whole("cat/1.png", "a cat").withLabel(0))
        .add(whole("cat/2.png", "another cat").withLabel(0))
        .add(whole("dog/1.png", "a dog").withLabel(1))
        .add(whole("README", "what this is"));
  }

  private static DigestEncoder lengths() {
    String first = "one two three";
    String second = "four";
    return noted("file:///data/text/", "files")
        .add(new DigestItem(hash(first), 13, "1.txt", 0, "", DigestItem.NONE, 3))
        .add(new DigestItem(hash(second), 4, "2.txt", 0, "", DigestItem.NONE, 1))
        .add(whole("3.txt", "unknown length"));
  }

  private static DigestEncoder duplicates() {
    return noted("file:///data/twice/", "files")
        .add(whole("a", "the same bytes"))
        .add(whole("b", "the same bytes"))
        .add(whole("c", "other bytes"))
        .add(whole("a", "the same bytes"));
  }

  private static DigestEncoder zeroByteItem() {
    return noted("file:///data/zero/", "files")
        .add(whole("full", "something"))
        .add(whole("nothing", ""));
  }

  private static DigestEncoder unicodeNames() {
    return noted("file:///data/unicode/", "files")
        .classNames(List.of("Käfer", "猫"))
        .add(whole("Käfer/größe \"1\".png", "k").withLabel(0))
        .add(whole("猫/三毛.png", "m").withLabel(1))
        .add(whole("猫/🐈\\x.png", "emoji").withLabel(1));
  }

  private static DigestEncoder noted(String source, String kind) {
    return new DigestEncoder()
        .metadata(DigestMetadata.SOURCE, source)
        .metadata(DigestMetadata.KIND, kind)
        .metadata(DigestMetadata.CREATED_BY, "quiver test vectors");
  }

  private static DigestItem whole(String name, String content) {
    return DigestItem.whole(hash(content), content.getBytes(StandardCharsets.UTF_8).length, name);
  }

  private static DigestItem member(String object, long offset, String name, String content) {
    return new DigestItem(
        hash(content), content.length(), object, offset, name, DigestItem.NONE, DigestItem.NONE);
  }

  private static ContentHash hash(String content) {
    return ContentHash.ofContent(content.getBytes(StandardCharsets.UTF_8));
  }
}
