package io.millrace.jobclient.internal.outbox;

import io.millrace.api.CancelResult;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.codec.CodecException;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobclient.internal.request.JobKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a saved request. Exactly one of the last three components is set.
 *
 * @param submission the submitted job; null if the request was a cancel or can no longer be read
 * @param submitted the tracker's answer to a submit
 * @param cancelled the tracker's answer to a cancel
 * @param givenUp why there is no answer and the client no longer waits for one
 */
public record OutboxOutcome(
    JobKey key,
    @Nullable JobSubmission submission,
    Instant savedAt,
    @Nullable SubmitResult submitted,
    @Nullable CancelResult cancelled,
    @Nullable String givenUp) {

  /** Returns the outcome of an entry without an answer. */
  static OutboxOutcome givenUp(Outbox.Entry entry, String why) {
    Instant savedAt = Instant.ofEpochMilli(entry.storedAt());
    try {
      SavedRequest request = SavedRequest.decode(entry.body());
      return new OutboxOutcome(request.key(), request.submission(), savedAt, null, null, why);
    } catch (CodecException unreadable) {
      return new OutboxOutcome(new JobKey("", entry.key()), null, savedAt, null, null, why);
    }
  }

  /**
   * Returns whether people should see this outcome: the request was given up, or the job was
   * rejected.
   */
  boolean isBad() {
    return givenUp != null || (submitted != null && submitted.status() == SubmitStatus.REJECTED);
  }

  /** Returns a description for the log. */
  String describe() {
    return what() + ", saved at " + savedAt + ", " + end();
  }

  private String what() {
    return submission == null
        ? "the request for " + key
        : "job " + key + " (submission " + submission.submissionId() + ")";
  }

  private String end() {
    if (submitted != null) {
      return "was answered "
          + submitted.status()
          + (submitted.reason() == null ? "" : " (" + submitted.reason() + ")")
          + (submitted.message() == null ? "" : ": " + submitted.message());
    }
    return cancelled != null ? "was answered " + cancelled : "was given up: " + givenUp;
  }
}
