package io.millrace.spring;

import io.millrace.api.PartFailurePolicy;
import io.millrace.api.WorkerLossPolicy;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a recurring job that runs the method, which must also have {@link MillraceJob}. Exactly
 * one of {@link #cron}, {@link #every} and {@link #fixedDelay} is set.
 *
 * <pre>{@code
 * @MillraceJob("nightly-report")
 * @Recurring(cron = "0 30 2 * * ?", zone = "America/New_York")
 * void report(JobContext context) { … }
 * }</pre>
 *
 * <p>When the application is ready, it declares all of its recurring jobs to the tracker, under its
 * name, and repeats that in the background until a tracker answers. A declaration that has not
 * changed changes nothing; one that has changed edits the job, which stays paused if it was. All
 * instances of the application declare the same jobs, and each fire time runs once, in one of them.
 *
 * <p>The job passes no parameters, so the method may only have parameters that can be left out. All
 * texts may contain placeholders such as {@code ${report.cron}}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Recurring {

  /** The task id of the job in the node group of the worker; the name of the handler by default. */
  String id() default "";

  /**
   * A cron expression: Quartz (6 or 7 fields), Unix (5 fields) or a nickname such as {@code
   * @daily}.
   */
  String cron() default "";

  /** The time zone of {@link #cron}; by default the tracker's, which is UTC unless configured. */
  String zone() default "";

  /** The time from one fire time to the next, such as {@code 30s} or {@code PT30S}. */
  String every() default "";

  /** The time from the end of one run to the next fire time, such as {@code 30s}. */
  String fixedDelay() default "";

  /** The priority, 0 to 255; lower runs first. */
  int priority() default 100;

  /** How often a failed attempt is repeated; by default as often as for other jobs. */
  int retries() default -1;

  /** Labels that a worker must have to run it, all of them; empty ones are left out. */
  String[] on() default {};

  /** Key of the worker that should run it, see {@code Job.Builder.stickTo}; by default any. */
  String stickTo() default "";

  /** How long one attempt may run, such as {@code 10m}; by default without limit. */
  String timeout() default "";

  /** How many parts each run is split into, 1 to 1,000; by default it is not split. */
  int shards() default 0;

  /**
   * Whether each run is split into one part for each worker that is there when the run begins; not
   * together with {@link #shards} or {@link #stickTo}.
   */
  boolean broadcast() default false;

  /** What becomes of the part of a worker that is gone, of a {@link #broadcast}. */
  WorkerLossPolicy onWorkerLost() default WorkerLossPolicy.SKIP;

  /**
   * The name of the handler that runs once after all parts of a run, which {@link #shards}, {@link
   * #broadcast} or {@code JobContext.map} has split; by default none.
   */
  String reduce() default "";

  /** What a failed part means for the other parts and for the run. */
  PartFailurePolicy onPartFailure() default PartFailurePolicy.FINISH;

  /**
   * How long after its split a run may end with all its parts, such as {@code 6h}; by default
   * without limit.
   */
  String within() default "";
}
