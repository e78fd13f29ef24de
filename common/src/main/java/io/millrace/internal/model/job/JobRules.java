package io.millrace.internal.model.job;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.internal.model.NameText;
import io.millrace.internal.model.NodeGroupName;
import io.millrace.internal.model.ParamsLimit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the values of a job are allowed. Only a tracker can decide in addition whether a
 * cron expression is valid, whether a schedule still fires, and whether there is room.
 */
public final class JobRules {
  public static final int MAX_TASK_ID_CHARS = 128;
  public static final int MAX_HANDLER_CHARS = 128;
  public static final int MAX_PRIORITY = 255;
  private static final int MAX_STICK_TO_CHARS = 128;

  private JobRules() {}

  /** The first fault of a job, or empty if all its values are allowed. */
  public static Optional<Rejection> check(Job job) {
    return checkKey(job.nodeGroup(), job.taskId())
        .or(() -> checkPriority(job.priority()))
        .or(() -> checkHandler(job.handler()))
        .or(() -> ScheduleValues.check(job.schedule()))
        .or(() -> RetryPolicyValidator.check(job.retry()))
        .or(() -> PolicyValidator.checkTimeout(job.timeout()))
        .or(() -> checkShards(job.shards()))
        .or(() -> checkHandler(job.reduce()))
        .or(() -> PolicyValidator.checkBatch(job.onPartFailure(), job.within()))
        .or(() -> PolicyValidator.checkBroadcast(job))
        .or(() -> refused(RejectReason.BAD_LABELS, WorkerLabels.faultOf(job.requires())))
        .or(() -> checkStickTo(job.stickTo()))
        .or(() -> PolicyValidator.checkOverlap(job.overlap(), job.schedule()))
        .or(() -> PolicyValidator.checkMisfire(job.misfire(), job.schedule()))
        .or(
            () ->
                refused(
                    RejectReason.BAD_TRACE_CONTEXT,
                    job.trace() == null ? null : job.trace().fault()))
        .or(() -> checkParams(job.params()));
  }

  /** The first fault of the key of a job, as it was received: the task id may be missing. */
  public static Optional<Rejection> checkKey(String nodeGroup, @Nullable String taskId) {
    if (taskId == null || taskId.isBlank()) {
      return refused(RejectReason.EMPTY_TASK_ID, "the task id is empty");
    }
    int characters = taskId.codePointCount(0, taskId.length());
    if (characters > MAX_TASK_ID_CHARS) {
      return refused(
          RejectReason.TASK_ID_TOO_LONG,
          "the task id has %d characters; at most %d are allowed"
              .formatted(characters, MAX_TASK_ID_CHARS));
    }
    if (isBlank(taskId.codePointAt(0)) || isBlank(taskId.codePointBefore(taskId.length()))) {
      return refused(
          RejectReason.BAD_TASK_ID,
          "the task id must not begin or end with a blank, because databases compare blanks in"
              + " different ways");
    }
    if (taskId.equals(".") || taskId.equals("..")) {
      return refused(
          RejectReason.BAD_TASK_ID,
          "the task id must not be . or .., because browsers and proxies take these out of the"
              + " address of a job");
    }
    if (isReserved(taskId)) {
      return refused(
          RejectReason.BAD_TASK_ID,
          "the task id must not be # and a number: those belong to the parts of runs that were split");
    }
    return checkText(taskId, RejectReason.BAD_TASK_ID, "the task id")
        .or(() -> refused(RejectReason.BAD_NODE_GROUP, NodeGroupName.faultOf(nodeGroup)));
  }

  /** Whether a task id is {@code #} and digits: the tracker gives such ones to parts of runs. */
  public static boolean isReserved(String taskId) {
    return taskId.length() > 1
        && taskId.charAt(0) == '#'
        && taskId.chars().skip(1).allMatch(character -> character >= '0' && character <= '9');
  }

  /**
   * Whether the character is a space, including non-breaking ones, which Java does not count as
   * white space.
   */
  private static boolean isBlank(int character) {
    return Character.isWhitespace(character) || Character.isSpaceChar(character);
  }

  private static Optional<Rejection> checkPriority(int priority) {
    return priority >= 0 && priority <= MAX_PRIORITY
        ? Optional.empty()
        : refused(
            RejectReason.BAD_PRIORITY,
            "priority " + priority + " must be between 0 and " + MAX_PRIORITY);
  }

  private static Optional<Rejection> checkShards(@Nullable Integer shards) {
    return shards == null || (shards >= 1 && shards <= Job.MAX_SHARDS)
        ? Optional.empty()
        : refused(
            RejectReason.BAD_SHARDS, shards + " shards are not between 1 and " + Job.MAX_SHARDS);
  }

  private static Optional<Rejection> checkStickTo(@Nullable String key) {
    if (key == null) {
      return Optional.empty();
    }
    if (key.isBlank() || key.length() > MAX_STICK_TO_CHARS) {
      return refused(
          RejectReason.BAD_STICK_TO,
          "a key to stick to must have 1 to " + MAX_STICK_TO_CHARS + " characters");
    }
    return checkText(key, RejectReason.BAD_STICK_TO, "the key to stick to");
  }

  private static Optional<Rejection> checkHandler(@Nullable String handler) {
    if (handler == null) {
      return Optional.empty();
    }
    if (handler.isBlank() || handler.length() > MAX_HANDLER_CHARS) {
      return refused(
          RejectReason.BAD_HANDLER,
          "a handler name must have 1 to " + MAX_HANDLER_CHARS + " characters");
    }
    return checkText(handler, RejectReason.BAD_HANDLER, "the handler name");
  }

  /** The first fault of a part that a handler makes, as it was received. */
  public static Optional<Rejection> checkPart(
      @Nullable String handler, Map<String, String> params) {
    return checkHandler(handler).or(() -> checkParams(params));
  }

  /** The first fault of parameters, as they were received: a name or a value may be missing. */
  public static Optional<Rejection> checkParams(Map<String, String> params) {
    for (Map.Entry<String, String> param : params.entrySet()) {
      Optional<Rejection> fault = checkParam(param.getKey(), param.getValue());
      if (fault.isPresent()) {
        return fault;
      }
    }
    return refused(RejectReason.PARAMS_TOO_LARGE, ParamsLimit.faultOf(params));
  }

  private static Optional<Rejection> checkParam(@Nullable String name, @Nullable String value) {
    if (name == null || value == null) {
      return refused(RejectReason.BAD_PARAMS, "parameter '" + name + "' has no value");
    }
    String fault = NameText.faultOfContent(value);
    return checkText(name, RejectReason.BAD_PARAMS, "the name of a parameter")
        .or(
            () ->
                refused(
                    RejectReason.BAD_PARAMS,
                    fault == null
                        ? null
                        : "parameter '" + name + "' has half of a surrogate pair: " + fault));
  }

  /** The fault of a text that is shown in lists and logs, or empty. */
  public static Optional<Rejection> checkText(String text, RejectReason reason, String what) {
    String fault = NameText.faultOf(text);
    return refused(
        reason,
        fault == null
            ? null
            : what
                + " has a character that is not allowed: "
                + fault
                + "; use visible characters only");
  }

  private static Optional<Rejection> refused(RejectReason reason, @Nullable String fault) {
    return fault == null ? Optional.empty() : Optional.of(new Rejection(reason, fault));
  }
}
