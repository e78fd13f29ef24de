package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.report.Measure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Submits jobs that are due now while the workers are stopped, then starts the workers: measures
 * the batch submit, the drain, and the resources used by both.
 */
final class DrainRound implements Round {
  private static final double THOUSAND = 1_000;
  private static final double MICROS = 1_000_000;
  private static final double MEBIBYTE = 1 << 20;
  private static final int LONGER = 3;
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final Plan plan;
  private final DatabaseKind database;
  private final ToIntFunction<Pace> jobs;
  private final Duration submitting;
  private final Duration draining;

  private DrainRound(
      Plan plan,
      DatabaseKind database,
      ToIntFunction<Pace> jobs,
      Duration submitting,
      Duration draining) {
    this.plan = plan;
    this.database = database;
    this.jobs = jobs;
    this.submitting = submitting;
    this.draining = draining;
  }

  /** Creates a warm-up with as many jobs as are submitted in its time, up to a limit. */
  static DrainRound warmingUp(Plan plan, DatabaseKind database) {
    return new DrainRound(
        plan, database, pace -> plan.warmUpJobs(), plan.warmUp(), plan.warmUp().multipliedBy(2));
  }

  /**
   * Creates a round with as many jobs as the contender, at the rate of its last drain, drains in
   * the time of the plan.
   */
  static DrainRound measured(Plan plan, DatabaseKind database) {
    Duration atMost = plan.drain().multipliedBy(LONGER);
    return new DrainRound(
        plan, database, pace -> pace.jobsIn(plan.drain(), plan.maxJobs()), atMost, atMost);
  }

  /** Creates a round with this number of jobs. */
  static DrainRound of(Plan plan, DatabaseKind database, int jobs) {
    return new DrainRound(plan, database, pace -> jobs, LONGEST, LONGEST);
  }

  @Override
  public void run(Arena arena, Sink sink) {
    Contender contender = arena.contender();
    int most = jobs.applyAsInt(contender.pace());
    arena.begin(most);
    long cpuBefore = arena.cpuMicros();
    long questionsBefore = count(arena, database.statements());
    long redoBefore = count(arena, database.redoBytes());
    Submitted submitted =
        arena.submit(
            Submission.now(
                0,
                most,
                plan.submitters(),
                contender.kind().batch(plan.batch()),
                submitting.toMillis()));
    Arena.Drained drained = arena.drain(submitted.count(), draining);
    long questions = count(arena, database.statements()) - questionsBefore;
    long redo = count(arena, database.redoBytes()) - redoBefore;
    contender.pace().drained(drained.perSecond());
    sink.add(Measure.SUBMIT_BATCH, submitted.count() * MICROS / submitted.micros());
    sink.add(Measure.DRAIN, drained.perSecond());
    if (drained.jobs() == submitted.count()) {
      sink.add(
          Measure.CPU_PER_1000,
          (arena.cpuMicros() - cpuBefore) / MICROS / submitted.count() * THOUSAND);
      sink.add(Measure.HEAP, arena.heapBytes() / MEBIBYTE);
      if (database.isServer()) {
        sink.add(Measure.STATEMENTS_PER_JOB, questions / (double) submitted.count());
        sink.add(Measure.REDO_BYTES_PER_JOB, redo / (double) submitted.count());
      }
    }
  }

  /**
   * Returns a count of the server, which includes the few statements with which the run itself
   * reads the tables; 0 if the database is no server.
   */
  private static long count(Arena arena, Optional<String> query) {
    return query.map(arena.contender().tables()::query).orElse(0L);
  }
}
