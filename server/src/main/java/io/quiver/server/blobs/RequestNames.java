package io.quiver.server.blobs;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.space.SpaceId;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.protocol.Wire;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.server.metrics.ServerMetrics.Account;
import org.jspecify.annotations.Nullable;

/** Reads the names of blobs, spaces, jobs and data sets from requests. */
final class RequestNames {
  private RequestNames() {}

  /** Returns the hash in {@code /v1/blobs/{hash}}. */
  static ContentHash hash(Exchange exchange) throws Refusal {
    try {
      return ContentHash.fromHex(exchange.pathValue("hash"));
    } catch (IllegalArgumentException e) {
      throw Refusal.of(
          400, String.valueOf(e.getMessage()), "name the blob by the SHA-256 of its bytes");
    }
  }

  /** Returns the name in {@code /v1/spaces/{space}}. */
  static SpaceId space(Exchange exchange) throws Refusal {
    return space(exchange.pathValue("space"));
  }

  /** Returns the space in the query, or the default one. */
  static SpaceId spaceParameter(Exchange exchange) throws Refusal {
    @Nullable String name = exchange.parameter("space");
    return name == null ? SpaceId.DEFAULT : space(name);
  }

  private static SpaceId space(String name) throws Refusal {
    try {
      return new SpaceId(name);
    } catch (IllegalArgumentException e) {
      throw Refusal.of(400, String.valueOf(e.getMessage()), "choose another name");
    }
  }

  private static String name(Exchange exchange, String field, String what) throws Refusal {
    String name = exchange.field(field);
    if (name == null) {
      return "";
    }
    if (name.length() > Wire.MAX_JOB_LENGTH || !name.chars().allMatch(c -> c > 31 && c < 127)) {
      throw Refusal.of(
          400,
          "not a " + what + " name: " + name.length() + " characters",
          "use 1 to " + Wire.MAX_JOB_LENGTH + " printable ASCII characters");
    }
    return name;
  }

  /** Returns the job that gives the priorities of a request; its name may be empty. */
  static RankingJob rankingJob(Exchange exchange) throws Refusal {
    String group = name(exchange, Wire.RANKING_JOB_HEADER, "ranking job");
    String name = group.isEmpty() ? name(exchange, Wire.JOB_HEADER, "job") : group;
    @Nullable String position = exchange.field(Wire.POSITION_HEADER);
    return new RankingJob(name, position == null ? RankingJob.NO_POSITION : position(position));
  }

  private static long position(String text) throws Refusal {
    try {
      long position = Long.parseLong(text);
      if (position >= 0 && position <= RankingJob.MAX_POSITION) {
        return position;
      }
    } catch (NumberFormatException e) {
      // Refused below, like a number out of bounds.
    }
    throw Refusal.of(
        400,
        "not the position of a job: \"" + text + "\"",
        "send a whole number from 0 to " + RankingJob.MAX_POSITION + " or none");
  }

  /**
   * The sender of a request.
   *
   * @param job the job, holder of claims; empty if the request does not say
   * @param dataset what it is about; empty if the request does not say
   * @param address where it comes from, which it cannot choose
   */
  record Caller(String job, String dataset, String address) {
    static Caller of(Exchange exchange) throws Refusal {
      return new Caller(
          name(exchange, Wire.JOB_HEADER, "job"),
          name(exchange, Wire.DATASET_HEADER, "data set"),
          exchange.body().caller());
    }

    /** Returns their counters. */
    Account account(ServerMetrics metrics) {
      return metrics.account(job, dataset);
    }
  }
}
