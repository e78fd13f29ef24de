package io.millrace.jobtracker.submit.job;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.job.JobRules;
import io.millrace.internal.model.job.Rejection;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.schedule.ScheduleValidator;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.SplitRules;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validates one job: by the rules that clients know too, and by those that only a tracker can
 * apply. Immutable.
 */
public final class JobValidator {
  static final int MAX_SUBMISSION_ID_CHARS = 40;

  /** The longest accepted waiting time of a submit: as long as an outbox keeps any entry. */
  public static final Duration LONGEST_WAIT = Duration.ofHours(36);

  private final JsonCodec codec;
  private final ScheduleValidator schedules;
  private final FeatureGate features;

  public JobValidator(JsonCodec codec, ZoneId defaultZone, FeatureGate features) {
    this.codec = codec;
    this.schedules = new ScheduleValidator(defaultZone);
    this.features = features;
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
    JobRules.check(job).ifPresent(JobValidator::reject);
    checkSubmissionId(submission.submissionId());
    schedules.check(job.schedule(), now).ifPresent(JobValidator::reject);
    check(
        !job.feedback() || !client.group().isEmpty(),
        RejectReason.NO_CLIENT_GROUP,
        "feedback is sent to a client group, and the client that asks for it has none: its"
            + " HELLO names an empty group");
    return new PendingSubmit(
        job,
        specOf(submission, client),
        encoded(job.params()),
        now.minus(waited.compareTo(LONGEST_WAIT) < 0 ? waited : LONGEST_WAIT).toEpochMilli(),
        submission.edit(),
        submission.relay(),
        client,
        null);
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
    JobRules.checkText(submissionId, RejectReason.BAD_SUBMISSION_ID, "the submission id")
        .ifPresent(JobValidator::reject);
  }

  private TriggerSpec specOf(JobSubmission submission, Peer client) {
    Job job = submission.job();
    FeatureLevel needed = features.neededBy(job);
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
        null,
        FeatureLevel.NONE.covers(needed) ? null : needed,
        job.shards(),
        SplitRules.of(job),
        null,
        laneOf(job),
        job.stickTo());
  }

  /** What the job requires; the number of the lane is found before it is stored. */
  private static @Nullable Lane laneOf(Job job) {
    List<String> requires = new ArrayList<>(job.requires());
    if (FeatureLevel.splits(job)) {
      requires.add(Lane.PARTS);
    }
    return requires.isEmpty()
        ? null
        : new Lane(Lane.PLAIN.number(), requires.stream().sorted().toList());
  }

  /**
   * Returns the parameters ready to be stored.
   *
   * @throws InvalidJobException naming what is wrong and where
   */
  public StoredParams paramsOf(Map<String, String> params) {
    JobRules.checkParams(params).ifPresent(JobValidator::reject);
    return encoded(params);
  }

  private StoredParams encoded(Map<String, String> params) {
    if (params.isEmpty()) {
      return StoredParams.NONE;
    }
    String json = codec.encodeText(params);
    return new StoredParams(json.getBytes(StandardCharsets.UTF_8).length, json);
  }

  private static void reject(Rejection rejection) {
    throw new InvalidJobException(rejection.reason(), rejection.message());
  }

  private static void check(boolean holds, RejectReason reason, String message) {
    if (!holds) {
      throw new InvalidJobException(reason, message);
    }
  }
}
