package io.quiver.client;

import io.quiver.client.GetRequest.Verification;
import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.GetFrame;
import io.quiver.protocol.PartsFrame;
import java.util.Arrays;
import java.util.List;

/** The question of one get: for whole blobs, or for parts of blobs. */
sealed interface Inquiry {
  /** Returns how many rows are asked for. */
  int size();

  /** Returns how many hits suffice. */
  int want();

  /** Returns the blob at a place, which decides who is asked. */
  ContentHash hash(int place);

  /** Returns the frame that asks for the rows at these places. */
  GetFrame frame(int[] places, int want);

  /** Returns the check of the bytes of hits. */
  Verification verification();

  /** Asks for whole blobs. */
  record Blobs(GetRequest request) implements Inquiry {
    @Override
    public int size() {
      return request.hashes().size();
    }

    @Override
    public int want() {
      return request.want();
    }

    @Override
    public ContentHash hash(int place) {
      return request.hashes().get(place);
    }

    @Override
    public GetFrame frame(int[] places, int want) {
      List<ContentHash> hashes = Arrays.stream(places).mapToObj(this::hash).toList();
      return new AskFrame(hashes, want, request.claim());
    }

    @Override
    public Verification verification() {
      return request.verification();
    }
  }

  /**
   * Asks for parts of blobs, all of them. The hash of a blob says nothing about a part of it, so
   * parts are only checked by checksums.
   */
  record Parts(List<BlobPart> parts) implements Inquiry {
    /** Keeps its own copy. */
    public Parts {
      parts = List.copyOf(parts);
    }

    @Override
    public int size() {
      return parts.size();
    }

    @Override
    public int want() {
      return parts.size();
    }

    @Override
    public ContentHash hash(int place) {
      return parts.get(place).hash();
    }

    @Override
    public GetFrame frame(int[] places, int want) {
      return new PartsFrame(Arrays.stream(places).mapToObj(parts::get).map(Parts::row).toList());
    }

    private static PartsFrame.Part row(BlobPart part) {
      return new PartsFrame.Part(part.hash(), part.offset(), part.length());
    }

    @Override
    public Verification verification() {
      return Verification.CRC32C;
    }
  }
}
