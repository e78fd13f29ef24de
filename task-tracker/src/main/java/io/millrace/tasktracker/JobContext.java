package io.millrace.tasktracker;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a {@link JobRunner} knows of the attempt it runs. Thread-safe. */
public interface JobContext {

  /** The group of workers the job belongs to. */
  String nodeGroup();

  /** The client's own id of the job. */
  String taskId();

  /**
   * Id of this attempt. It rises along the attempts of one trigger, so a store that remembers the
   * highest one it has seen can refuse the writes of an attempt that was given up.
   */
  long executionId();

  /** Which attempt this is, from 1. */
  int attempt();

  /** How many attempts the retry policy allows in all. */
  int maxAttempts();

  /** The instant the schedule said; the same over all attempts. */
  Instant plannedFor();

  /** When this attempt might start. */
  Instant dueAt();

  /** The job's parameters; cannot be changed. */
  Map<String, String> params();

  /** The parameter of this name, or null. */
  default @Nullable String param(String name) {
    return params().get(name);
  }

  /**
   * The trace that the job was submitted in, as the header {@code traceparent} of W3C Trace Context
   * has it; null if the client named none. The same for every run of the job: a tracer takes it for
   * the parent of the span that it starts for this one, or, where runs follow one another for long,
   * for a link.
   */
  default @Nullable String traceParent() {
    return null;
  }

  /** What goes with {@link #traceParent}, as the header {@code tracestate} has it, or null. */
  default @Nullable String traceState() {
    return null;
  }

  /** The log of this attempt, kept by the tracker. */
  JobLogger logger();

  /**
   * Whether this attempt is to stop: its job was cancelled, or it was terminated, has timed out, or
   * is lost. A long body asks now and then and returns early. For all of these but a cancel its
   * thread is interrupted too; a body that was cancelled is stopped by nobody else.
   */
  boolean isStopRequested();

  /**
   * Whether this attempt is not the worker's own any more, or may not be: the worker has heard from
   * no tracker for nearly a lease, or a tracker said that the execution was taken from it. Another
   * worker may run the next attempt at this moment, so the body should change nothing any more that
   * others can see. Never false again.
   */
  boolean isLost();
}
