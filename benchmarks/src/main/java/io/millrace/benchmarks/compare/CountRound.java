package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.report.Measure;
import java.time.Duration;
import java.util.function.ToLongFunction;

/** Counts events during the submit and the drain of a few thousand jobs. */
final class CountRound implements Round {
  private static final int JOBS = 5_000;
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private static final String STATEMENTS =
      "SELECT COALESCE(SUM(EXECUTION_COUNT), 0) FROM INFORMATION_SCHEMA.QUERY_STATISTICS";

  private final Plan plan;
  private final Measure measure;
  private final ToLongFunction<Arena> counter;

  private CountRound(Plan plan, Measure measure, ToLongFunction<Arena> counter) {
    this.plan = plan;
    this.measure = measure;
    this.counter = counter;
  }

  /** Creates a round that uses this counter. */
  static CountRound of(Plan plan, Measure measure, ToLongFunction<Arena> counter) {
    return new CountRound(plan, measure, counter);
  }

  /** Creates a round that counts statements with the statistics of H2, which are off by default. */
  static CountRound ofH2Statements(Plan plan) {
    return new CountRound(
        plan,
        Measure.STATEMENTS_PER_JOB,
        arena -> {
          arena.contender().tables().execute("SET QUERY_STATISTICS TRUE");
          return arena.contender().tables().query(STATEMENTS);
        });
  }

  @Override
  public void run(Arena arena, Sink sink) {
    int jobs = arena.contender().pace().jobsIn(plan.drain(), JOBS);
    arena.begin(jobs);
    long before = counter.applyAsLong(arena);
    Submitted submitted =
        arena.submit(
            Submission.now(
                0,
                jobs,
                plan.submitters(),
                arena.contender().kind().batch(plan.batch()),
                LONGEST.toMillis()));
    Arena.Drained drained = arena.drain(submitted.count(), LONGEST);
    if (drained.jobs() < submitted.count()) {
      throw new ContenderFailedException(
          "drained %d of %d jobs in %s".formatted(drained.jobs(), submitted.count(), LONGEST),
          null);
    }
    sink.add(measure, (counter.applyAsLong(arena) - before) / (double) submitted.count());
  }
}
