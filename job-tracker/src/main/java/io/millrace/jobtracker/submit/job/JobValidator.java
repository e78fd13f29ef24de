package io.millrace.jobtracker.submit.job;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.NameText;
import io.millrace.internal.model.NodeGroupName;
import io.millrace.internal.model.ParamsLimit;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.domain.Rejection;
import io.millrace.jobtracker.domain.job.PolicyValidator;
import io.millrace.jobtracker.domain.retry.RetryPolicyValidator;
import io.millrace.jobtracker.domain.schedule.ScheduleValidator;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates one job. This is the only place that defines which jobs are allowed. Immutable. */
public final class JobValidator {
  static final int MAX_TASK_ID_CHARS = 128;
  static final int MAX_HANDLER_CHARS = 128;
  static final int MAX_SUBMISSION_ID_CHARS = 40;
  static final int MAX_PRIORITY = 255;

  /** The longest accepted waiting time of a submit: as long as an outbox keeps any entry. */
  public static final Duration LONGEST_WAIT = Duration.ofHours(36);

  private final JsonCodec codec;
  private final ScheduleValidator schedules;

  public JobValidator(JsonCodec codec, ZoneId defaultZone) {
    this.codec = codec;
    this.schedules = new ScheduleValidator(defaultZone);
  }

  /**
   * Returns the job ready to be stored.
   *
   * @param waited how long the job waited to be sent, as the client reports
   * @param now the time of arrival
   * @throws InvalidJobException naming what is wrong and where
   */
  public PendingSubmit validate(
      JobSubmission submission, Duration waited, Peer client, Instant now) {
    Job job = submission.job();
    checkKey(job);
    checkSubmissionId(submission.submissionId());
    check(
        job.priority() >= 0 && job.priority() <= MAX_PRIORITY,
        RejectReason.BAD_PRIORITY,
        "priority " + job.priority() + " must be between 0 and " + MAX_PRIORITY);
    check(
        job.handler() == null
            || (!job.handler().isBlank() && job.handler().length() <= MAX_HANDLER_CHARS),
        RejectReason.BAD_HANDLER,
        "a handler name must have 1 to " + MAX_HANDLER_CHARS + " characters");
    if (job.handler() != null) {
      checkText(job.handler(), RejectReason.BAD_HANDLER, "the handler name");
    }
    schedules.check(job.schedule(), now).ifPresent(JobValidator::reject);
    RetryPolicyValidator.check(job.retry()).ifPresent(JobValidator::reject);
    PolicyValidator.checkTimeout(job.timeout()).ifPresent(JobValidator::reject);
    PolicyValidator.checkOverlap(job.overlap(), job.schedule()).ifPresent(JobValidator::reject);
    PolicyValidator.checkMisfire(job.misfire(), job.schedule()).ifPresent(JobValidator::reject);
    refuse(RejectReason.BAD_TRACE_CONTEXT, job.trace() == null ? null : job.trace().fault());
    check(
        !job.feedback() || !client.group().isEmpty(),
        RejectReason.NO_CLIENT_GROUP,
        "feedback is sent to a client group, and the client that asks for it has none: its"
            + " HELLO names an empty group");
    return new PendingSubmit(
        job,
        specOf(submission, client),
        paramsOf(job.params()),
        now.minus(waited.compareTo(LONGEST_WAIT) < 0 ? waited : LONGEST_WAIT).toEpochMilli(),
        submission.edit());
  }

  /**
   * Checks that a resent request can be recognized by this id.
   *
   * @throws InvalidJobException if it cannot
   */
  public void checkSubmissionId(String submissionId) {
    check(
        submissionId.length() <= MAX_SUBMISSION_ID_CHARS && !submissionId.isBlank(),
        RejectReason.BAD_SUBMISSION_ID,
        "the submission id must have 1 to " + MAX_SUBMISSION_ID_CHARS + " characters");
    checkText(submissionId, RejectReason.BAD_SUBMISSION_ID, "the submission id");
  }

  private static void checkKey(Job job) {
    String taskId = job.taskId();
    check(taskId != null && !taskId.isBlank(), RejectReason.EMPTY_TASK_ID, "the task id is empty");
    check(
        taskId.codePointCount(0, taskId.length()) <= MAX_TASK_ID_CHARS,
        RejectReason.TASK_ID_TOO_LONG,
        "the task id has "
            + taskId.codePointCount(0, taskId.length())
            + " characters; at most "
            + MAX_TASK_ID_CHARS
            + " are allowed");
    check(
        !isBlank(taskId.codePointAt(0)) && !isBlank(taskId.codePointBefore(taskId.length())),
        RejectReason.BAD_TASK_ID,
        "the task id must not begin or end with a blank, because databases compare blanks in"
            + " different ways");
    checkText(taskId, RejectReason.BAD_TASK_ID, "the task id");
    refuse(RejectReason.BAD_NODE_GROUP, NodeGroupName.faultOf(job.nodeGroup()));
  }

  /**
   * Whether the character is a space, including non-breaking ones, which Java does not count as
   * white space.
   */
  private static boolean isBlank(int character) {
    return Character.isWhitespace(character) || Character.isSpaceChar(character);
  }

  private static void checkText(String text, RejectReason reason, String what) {
    String fault = NameText.faultOf(text);
    check(
        fault == null,
        reason,
        what + " has a character that is not allowed: " + fault + "; use visible characters only");
  }

  private static TriggerSpec specOf(JobSubmission submission, Peer client) {
    Job job = submission.job();
    return new TriggerSpec(
        job.handler(),
        job.retry(),
        job.timeout(),
        job.schedule().isRecurring() ? job.overlapOrDefault() : null,
        job.misfire(),
        job.isChained(),
        job.feedback(),
        client.group(),
        submission.submissionId(),
        client.nodeId(),
        job.trace(),
        null);
  }

  /**
   * Returns the parameters ready to be stored.
   *
   * @throws InvalidJobException naming what is wrong and where
   */
  public StoredParams paramsOf(Map<String, String> params) {
    if (params.isEmpty()) {
      return StoredParams.NONE;
    }
    for (Map.Entry<String, String> param : params.entrySet()) {
      check(
          param.getKey() != null && param.getValue() != null,
          RejectReason.BAD_PARAMS,
          "parameter '" + param.getKey() + "' has no value");
      checkText(param.getKey(), RejectReason.BAD_PARAMS, "the name of a parameter");
      String fault = NameText.faultOfContent(param.getValue());
      check(
          fault == null,
          RejectReason.BAD_PARAMS,
          "parameter '" + param.getKey() + "' has half of a surrogate pair: " + fault);
    }
    refuse(RejectReason.PARAMS_TOO_LARGE, ParamsLimit.faultOf(params));
    String json = codec.encodeText(params);
    return new StoredParams(json.getBytes(StandardCharsets.UTF_8).length, json);
  }

  private static void reject(Rejection rejection) {
    throw new InvalidJobException(rejection.reason(), rejection.message());
  }

  private static void refuse(RejectReason reason, @Nullable String fault) {
    if (fault != null) {
      throw new InvalidJobException(reason, fault);
    }
  }

  private static void check(boolean holds, RejectReason reason, String message) {
    if (!holds) {
      throw new InvalidJobException(reason, message);
    }
  }
}
