package io.millrace.jobtracker.domain.job;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code jt_job_version}: what a version of a recurring job changed. Pauses raise the
 * version of a job too, and have no row.
 *
 * @param jobId of the job
 * @param version of the job
 * @param storedAt when it was stored, in epoch milliseconds; of an unrecorded one, when the next
 *     one was
 * @param author who stored it
 * @param submissionId of the submit that the definition came by
 * @param definition what it defined; null if it cancelled the job
 */
public record JobVersion(
    long jobId,
    int version,
    long storedAt,
    Author author,
    String submissionId,
    @Nullable Definition definition) {

  /** How many versions of a job are kept. */
  public static final int KEPT = 100;

  /** Parameters of up to this many bytes are kept with a version. */
  public static final int MAX_PARAMS_BYTES = 32 << 10;

  /** Where a version came from. */
  public enum Source {
    /** The submit or the cancel of a client. */
    CLIENT,
    /** A declaration. */
    DECLARED,
    /** An operator, through the API. */
    OPERATOR,
    /** A tracker of a former version, which did not record it. */
    UNRECORDED
  }

  /**
   * Who stored a version.
   *
   * @param source where it came from
   * @param name client group and node id of the client, owner of the declaration, or name of the
   *     operator
   * @param address where the request came from; null if that is not known
   */
  public record Author(Source source, String name, @Nullable String address) {

    /** The owner of a declaration that this author has sent. */
    public Author declaring(String owner) {
      return new Author(Source.DECLARED, owner, address);
    }
  }

  /**
   * What operators can edit of a job, and its feedback.
   *
   * @param params its parameters; left in the store if they are too large to be kept
   */
  public record Definition(Schedule schedule, TriggerSpec spec, int priority, StoredParams params) {

    private static Definition of(JobDefinition job) {
      StoredParams params = job.params();
      return new Definition(
          job.schedule(),
          job.spec(),
          job.priority(),
          params.bytes() > MAX_PARAMS_BYTES ? new StoredParams(params.bytes(), null) : params);
    }
  }

  /** The version that this definition is, or its cancel. */
  public static JobVersion of(JobDefinition job, Author author, long now) {
    return new JobVersion(
        job.id(),
        job.version(),
        now,
        author,
        job.spec().submissionId(),
        job.state() == JobState.CANCELLED ? null : Definition.of(job));
  }

  /**
   * A version that a tracker stored which did not record it; its definition, if it was cancelled.
   */
  public static JobVersion unrecorded(JobDefinition job, long now) {
    return new JobVersion(
        job.id(),
        job.version(),
        now,
        new Author(Source.UNRECORDED, job.spec().submittedBy(), null),
        job.spec().submissionId(),
        Definition.of(job));
  }
}
