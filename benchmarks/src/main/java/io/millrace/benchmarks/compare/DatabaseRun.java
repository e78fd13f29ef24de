package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.measure.WireRelay;
import io.millrace.benchmarks.report.Measure;
import io.millrace.benchmarks.report.Results;
import io.millrace.benchmarks.report.Spread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All rounds on one kind of database. The contenders take turns, and each pass reverses their
 * order, so that a machine that slows down favours no contender. A contender that fails is listed
 * in the results and takes no further part.
 */
final class DatabaseRun implements AutoCloseable {
  private final Plan plan;
  private final DatabaseKind kind;
  private final Databases databases;
  private final Results results;
  private final Consumer<String> progress;
  private final List<Contender> contenders = new ArrayList<>();

  DatabaseRun(
      Plan plan,
      DatabaseKind kind,
      Databases databases,
      Results results,
      Consumer<String> progress) {
    this.plan = plan;
    this.kind = kind;
    this.databases = databases;
    this.results = results;
    this.progress = progress;
  }

  /** Runs everything in the plan; returns when it is completed, even if contenders failed. */
  void run(Set<ContenderKind> taking, Set<Chapter> chapters, Path logs, @Nullable Path profiles) {
    for (ContenderKind one : taking) {
      contenders.add(Contender.start(one, plan.jvmOptions(), logs, profiles));
    }
    if (!plan.warmUp().isZero()) {
      boolean unused = pass("warm-up", DrainRound.warmingUp(plan, kind), this::drains, false);
    }
    untilSettled(
        "drain",
        DrainRound.measured(plan, kind),
        this::drains,
        List.of(Measure.SUBMIT_BATCH, Measure.DRAIN));
    new FurtherRounds(this, plan).run(chapters);
  }

  /**
   * Measures submits and drain of versions of Millrace, in turn.
   *
   * @param warmUp the number of rounds before those that count
   * @param jobs the number of jobs of a round
   */
  void runVersions(
      List<Version> versions,
      int warmUp,
      int rounds,
      int jobs,
      Path logs,
      @Nullable Path profiles) {
    for (Version version : versions) {
      contenders.add(Contender.start(version, plan.jvmOptions(), logs, profiles));
    }
    Round drain = DrainRound.of(plan, kind, jobs);
    Round single = new SingleSubmitRound(plan);
    for (int number = 1 - warmUp; number <= rounds; number++) {
      boolean counts = number > 0;
      String what = (counts ? "round " : "warm-up ") + number;
      boolean unused = pass(what, drain, any -> true, counts);
      unused = pass(what + ", single submits", single, any -> true, counts);
    }
  }

  /**
   * Repeats a round until every contender is warm: its last values differ by less than a tenth. One
   * that is warm takes no further part. Ends before that after the rounds or the time of the plan,
   * with a note of who is not.
   *
   * @param measures what the round measures
   */
  void untilSettled(
      String what, Round round, Predicate<Contender> takesPart, List<Measure> measures) {
    long begin = WallClock.nanoTime();
    for (int number = 1; number <= plan.maxRounds(); number++) {
      long passBegin = WallClock.nanoTime();
      boolean any =
          pass(
              what + " " + number,
              round,
              contender -> takesPart.test(contender) && !isSettled(contender, measures),
              true);
      long now = WallClock.nanoTime();
      if (!any || now - begin + (now - passBegin) > plan.budget().toNanos()) {
        break;
      }
    }
    contenders.stream()
        .filter(takesPart)
        .filter(contender -> !isSettled(contender, measures))
        .map(contender -> contender.measured().name())
        .sorted()
        .forEach(
            name ->
                results.note(
                    "%s on %s: the last three rounds of %s differ by a tenth or more"
                        .formatted(what, kind.word(), name)));
  }

  private boolean isSettled(Contender contender, List<Measure> measures) {
    return measures.stream()
        .allMatch(measure -> results.isSettled(kind.word(), measure, contender.measured()));
  }

  private boolean drains(Contender contender) {
    return !plan.quick() || contender.kind().drainsQuickly();
  }

  /** Runs one round of each selected contender; returns whether there was any. */
  boolean pass(String what, Round round, Predicate<Contender> takesPart, boolean counts) {
    List<Contender> inTurn = contenders.stream().filter(takesPart).toList();
    for (Contender contender : inTurn) {
      one(what, round, contender, counts, null);
    }
    Collections.reverse(contenders);
    return !inTurn.isEmpty();
  }

  /** Runs one round of one contender. */
  void one(
      String what, Round round, Contender contender, boolean counts, @Nullable WireRelay wire) {
    StringBuilder values = new StringBuilder();
    long begin = WallClock.nanoTime();
    try (Arena arena = Arena.open(contender, plan, databases, wire)) {
      round.run(
          arena,
          (measure, value) -> {
            values.append(" %s %.4g".formatted(measure.word(), value));
            if (counts) {
              results.add(kind.word(), measure, contender.measured(), value);
            }
          });
      int repeated = arena.repeated();
      if (repeated > 0) {
        results.note(
            "%s on %s ran %d jobs again (%s)"
                .formatted(contender.measured().name(), kind.word(), repeated, what));
      }
    } catch (ContenderFailedException e) {
      values.append(" FAILED: ").append(e.getMessage());
      results.failed(kind.word(), what, contender.measured(), String.valueOf(e.getMessage()));
      contenders.remove(contender);
      contender.close();
    }
    double seconds = Duration.ofNanos(WallClock.nanoTime() - begin).toMillis() / 1_000.0;
    progress.accept(
        "%s %s, %s: %.1f s,%s"
            .formatted(kind.word(), what, contender.measured().name(), seconds, values));
  }

  /** Returns the median of a contender's values; 0 if it has none. */
  double median(Contender contender, Measure measure) {
    return results
        .spread(kind.word(), measure, contender.measured())
        .map(Spread::median)
        .orElse(0.0);
  }

  /** Adds a note for the readers of the results. */
  void note(String text) {
    results.note(text);
  }

  /** Returns the contenders that have not failed. */
  List<Contender> contenders() {
    return List.copyOf(contenders);
  }

  DatabaseKind kind() {
    return kind;
  }

  @Override
  public void close() {
    contenders.forEach(Contender::close);
  }
}
