package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.measure.WireRelay;
import io.millrace.benchmarks.report.Measure;
import io.millrace.benchmarks.report.Role;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The measurements after the drains. */
final class FurtherRounds {
  private static final Map<Integer, Measure> BESIDE =
      Map.of(
          0, Measure.DRAIN_BESIDE_0,
          10_000, Measure.DRAIN_BESIDE_10K,
          100_000, Measure.DRAIN_BESIDE_100K,
          1_000_000, Measure.DRAIN_BESIDE_1M);

  private static final int TEN = 10;

  private final DatabaseRun run;
  private final Plan plan;

  FurtherRounds(DatabaseRun run, Plan plan) {
    this.run = run;
    this.plan = plan;
  }

  /** Runs those of these chapters that the plan includes. */
  void run(Set<Chapter> chapters) {
    for (Chapter chapter : chapters) {
      if (chapter == Chapter.LATENESS || !plan.quick()) {
        run(chapter);
      }
    }
  }

  private void run(Chapter chapter) {
    switch (chapter) {
      case LATENESS -> run.pass("lateness", new LatenessRound(plan), this::hasLateness, true);
      case RATES -> rates();
      case HALF_LOAD -> halfLoad();
      case BURST -> burst();
      case BESIDE -> beside();
      case DAILY -> daily();
      case SECONDS -> everySecond();
      case WIRE -> wire();
    }
  }

  private void rates() {
    run.untilSettled("steady", new SteadyRound(plan), any -> true, List.of(Measure.STEADY));
    run.untilSettled(
        "single submit",
        new SingleSubmitRound(plan),
        this::hasDueTimes,
        List.of(Measure.SUBMIT_SINGLE));
    if (run.kind() == DatabaseKind.H2) {
      run.pass("statements", CountRound.ofH2Statements(plan), contender -> true, true);
    }
  }

  private void halfLoad() {
    run.pass(
        "half load",
        new HalfLoadRound(plan, contender -> run.median(contender, Measure.STEADY)),
        contender -> hasDueTimes(contender) && run.median(contender, Measure.STEADY) > 0,
        true);
  }

  private void burst() {
    run.pass(
        "burst",
        new BurstRound(plan, contender -> run.median(contender, Measure.SUBMIT_BATCH)),
        this::canBearTheBurst,
        true);
  }

  private void beside() {
    for (int rows : plan.beside()) {
      run.pass(
          "beside " + rows,
          new BesideRound(plan, Objects.requireNonNull(BESIDE.get(rows)), rows),
          FurtherRounds::isOurs,
          true);
    }
  }

  private void wire() {
    for (Contender contender : List.copyOf(run.contenders())) {
      if (isOurs(contender)) {
        countWire(contender);
      }
    }
  }

  private void daily() {
    run.untilSettled(
        "daily jobs",
        new DailyRound(plan.dailyJobs()),
        contender -> contender.kind().recurs(),
        List.of(Measure.DECLARE_DAILY));
  }

  private void everySecond() {
    run.pass(
        "jobs that run every second",
        new SecondsRound(
            plan.secondJobs(),
            plan.latenessSpan(),
            (sink, perSecond, late, heap) -> {
              sink.add(Measure.SECONDS_1K_RATE, perSecond);
              sink.add(Measure.SECONDS_1K_P50, late.p50());
              sink.add(Measure.SECONDS_1K_P99, late.p99());
              sink.add(Measure.SECONDS_1K_MAX, late.max());
            }),
        FurtherRounds::isOurs,
        true);
    run.pass(
        "ten times as many",
        new SecondsRound(
            plan.secondJobs() * TEN,
            plan.latenessSpan(),
            (sink, perSecond, late, heap) -> {
              sink.add(Measure.SECONDS_10K_RATE, perSecond);
              sink.add(Measure.SECONDS_10K_P50, late.p50());
              sink.add(Measure.SECONDS_10K_HEAP, heap);
            }),
        FurtherRounds::isOurs,
        true);
  }

  private void countWire(Contender contender) {
    try (WireRelay relay = WireRelay.open()) {
      run.one(
          "wire",
          CountRound.of(plan, Measure.WIRE_BYTES_PER_JOB, arena -> relay.bytes()),
          contender,
          true,
          relay);
    }
  }

  private static boolean isOurs(Contender contender) {
    return contender.measured().role() == Role.OURS;
  }

  /** Returns whether the contender supports due times, which the ceiling does not. */
  private boolean hasDueTimes(Contender contender) {
    return contender.measured().role() != Role.CEILING;
  }

  /**
   * Returns whether to measure the contender's lateness. Both db-scheduler variants poll alike, so
   * a quick run measures only one of them.
   */
  private boolean hasLateness(Contender contender) {
    return hasDueTimes(contender)
        && !(plan.quick() && contender.kind() == ContenderKind.DB_SCHEDULER_LOCK);
  }

  private boolean canBearTheBurst(Contender contender) {
    double most = contender.pace().drained() * BurstRound.LONGEST.toSeconds();
    boolean can = hasDueTimes(contender) && most >= plan.burstJobs();
    if (hasDueTimes(contender) && !can) {
      run.note(
          "%s on %s is left out of the burst: at %.0f jobs/s it would take longer than %d s"
              .formatted(
                  contender.measured().name(),
                  run.kind().word(),
                  contender.pace().drained(),
                  BurstRound.LONGEST.toSeconds()));
    }
    return can;
  }
}
