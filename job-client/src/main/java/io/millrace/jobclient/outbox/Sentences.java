package io.millrace.jobclient.outbox;

import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.jobclient.Delivered;

/** The end of an entry, in words for the log. */
final class Sentences {
  private Sentences() {}

  static String of(Delivered delivered) {
    return what(delivered) + ", saved at " + delivered.savedAt() + ", " + end(delivered);
  }

  private static String what(Delivered delivered) {
    JobSubmission submission = delivered.submission();
    String key = delivered.nodeGroup() + "/" + delivered.taskId();
    return submission == null
        ? "the request for " + key
        : "job " + key + " (submission " + submission.submissionId() + ")";
  }

  private static String end(Delivered delivered) {
    SubmitResult submitted = delivered.submitted();
    if (submitted != null) {
      return "was answered "
          + submitted.status()
          + (submitted.reason() == null ? "" : " (" + submitted.reason() + ")")
          + (submitted.message() == null ? "" : ": " + submitted.message());
    }
    return delivered.cancelled() != null
        ? "was answered " + delivered.cancelled()
        : "is given up: " + delivered.givenUp();
  }
}
