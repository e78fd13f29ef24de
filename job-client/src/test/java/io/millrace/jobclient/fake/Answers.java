package io.millrace.jobclient.fake;

import io.millrace.api.JobHandle;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import java.util.function.Predicate;

/** Answers as the client gives them to the application. */
public final class Answers {
  private Answers() {}

  /** Matches the answer that a job was accepted, with a handle of its submit. */
  public static Predicate<SubmitResult> accepted(String taskId) {
    return result -> {
      JobHandle handle = result.handle();
      return result.status() == SubmitStatus.ACCEPTED
          && result.taskId().equals(taskId)
          && handle != null
          && handle.taskId().equals(taskId)
          && handle.submissionId().length() == 36;
    };
  }
}
