package io.millrace.scripts.operate.file;

import io.millrace.api.RejectReason;
import java.util.Arrays;

/** Finds the field of a job because of which it was refused. */
final class RefusedField {
  private RefusedField() {}

  /**
   * Puts the field in front of the words of a refusal.
   *
   * @param words begin with the name of the reason and a colon, if there is one
   */
  static String named(String words) {
    return Arrays.stream(RejectReason.values())
        .filter(reason -> words.startsWith(reason + ": "))
        .findFirst()
        .map(reason -> fieldOf(reason) + words)
        .orElse(words);
  }

  private static String fieldOf(RejectReason reason) {
    return switch (reason) {
      case EMPTY_TASK_ID, TASK_ID_TOO_LONG, BAD_TASK_ID -> "taskId: ";
      case BAD_NODE_GROUP, TOO_MANY_NODE_GROUPS -> "nodeGroup: ";
      case BAD_CRON -> "schedule.cron: ";
      case BAD_TIMES -> "schedule.times: ";
      case NEVER_FIRES, BAD_INTERVAL, BAD_INSTANT -> "schedule: ";
      case BAD_PRIORITY -> "priority: ";
      case BAD_HANDLER -> "handler or reduce: ";
      case BAD_RETRY_POLICY -> "retry: ";
      case BAD_TIMEOUT -> "timeout: ";
      case BAD_SHARDS -> "shards: ";
      case BAD_BATCH_OPTIONS -> "onPartFailure or within: ";
      case BAD_BROADCAST -> "broadcast: ";
      case BAD_LABELS, TOO_MANY_LANES -> "on: ";
      case BAD_STICK_TO -> "stickTo: ";
      case BAD_OVERLAP_POLICY -> "overlap: ";
      case BAD_MISFIRE_POLICY -> "misfire: ";
      case BAD_PARAMS, PARAMS_TOO_LARGE -> "params: ";
      case BAD_TRACE_CONTEXT -> "traceParent: ";
      case NO_CLIENT_GROUP,
          JOB_CHANGED,
          BAD_SUBMISSION_ID,
          TRACKER_TOO_OLD,
          NOT_RECURRING,
          OUTDATED,
          WAITING_FULL,
          UNAVAILABLE,
          UNKNOWN ->
          "";
    };
  }
}
