package io.millrace.jobclient.internal.relay;

import io.millrace.internal.codec.CodecException;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobclient.internal.request.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * A stored request.
 *
 * @param id rises with the time of the insert, not of the commit
 * @param partition the partition of its key
 * @param createdAt when it was inserted, in epoch milliseconds
 * @param firstSentAt when it was first about to be sent, in epoch milliseconds; null if never
 */
record EnqueuedRow(
    long id,
    String submissionId,
    JobKey key,
    int partition,
    Content content,
    long createdAt,
    @Nullable Long firstSentAt) {
  static final String SUBMIT = "SUBMIT";
  static final String CANCEL = "CANCEL";

  private static final JsonCodec CODEC = new JsonCodec();

  /**
   * What is requested.
   *
   * @param kind {@link #SUBMIT}, {@link #CANCEL}, or a kind of a newer version
   * @param body the submission as JSON; empty for a cancel
   */
  record Content(String kind, String body) {
    static final Content OF_CANCEL = new Content(CANCEL, "");

    static Content of(JobSubmission submission) {
      return new Content(SUBMIT, CODEC.encodeText(submission));
    }
  }

  boolean isCancel() {
    return content.kind().equals(CANCEL);
  }

  /**
   * Returns the submission to send.
   *
   * @throws UnreadableRowException if the row has none that can be sent
   */
  JobSubmission submission() {
    JobSubmission submission;
    try {
      submission = CODEC.decodeText(content.body(), JobSubmission.class);
    } catch (CodecException e) {
      throw new UnreadableRowException(String.valueOf(e.getMessage()), e);
    }
    if (!submission.submissionId().equals(submissionId)
        || !JobKey.of(submission.job()).equals(key)) {
      throw new UnreadableRowException(
          "its body is job %s with submission id %s"
              .formatted(JobKey.of(submission.job()), submission.submissionId()),
          null);
    }
    return submission;
  }

  /** Returns why the row cannot be sent, or null. */
  @Nullable String fault() {
    if (isCancel()) {
      return null;
    }
    if (!content.kind().equals(SUBMIT)) {
      return "this version does not know the kind '" + content.kind() + "'";
    }
    try {
      JobSubmission unused = submission();
      return null;
    } catch (UnreadableRowException e) {
      return e.getMessage();
    }
  }

  @Override
  public String toString() {
    return "row %d (%s of %s)".formatted(id, content.kind(), key);
  }
}
