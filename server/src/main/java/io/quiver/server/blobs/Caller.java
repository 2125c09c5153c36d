package io.quiver.server.blobs;

import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.protocol.Wire;
import io.quiver.server.metrics.Account;
import io.quiver.server.metrics.ServerMetrics;

/**
 * The sender of a request.
 *
 * @param job the job, holder of claims; empty if the request does not say
 * @param dataset what it is about; empty if the request does not say
 */
record Caller(String job, String dataset) {
  static Caller of(Exchange exchange) throws Refusal {
    return new Caller(
        name(exchange, Wire.JOB_HEADER, "job"), name(exchange, Wire.DATASET_HEADER, "data set"));
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

  /** Counts for them. */
  Account account(ServerMetrics metrics) {
    return metrics.account(job, dataset);
  }
}
