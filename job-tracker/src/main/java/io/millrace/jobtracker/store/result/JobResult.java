package io.millrace.jobtracker.store.result;

import java.nio.charset.StandardCharsets;

/**
 * What a job returned.
 *
 * @param executionId of the execution that succeeded, which is the id of its ledger row
 * @param endedAt when the end was recorded, in epoch milliseconds
 * @param json the value, up to 64 KiB of UTF-8
 */
public record JobResult(long executionId, long endedAt, String json) {

  /** The length of the value in UTF-8. */
  public int bytes() {
    return json.getBytes(StandardCharsets.UTF_8).length;
  }
}
