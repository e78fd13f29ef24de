package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.measure.WireRelay;
import io.millrace.benchmarks.report.Measure;
import io.millrace.benchmarks.report.Results;
import io.millrace.benchmarks.report.Role;
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
  /**
   * The fraction of the fastest peer's rate below which a quick run measures a contender only once.
   */
  private static final double SLOW = 0.4;

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
    long begin = WallClock.nanoTime();
    if (!plan.warmUp().isZero()) {
      pass("warm-up", DrainRound.warmingUp(plan, kind), this::drains, false);
    }
    drains(begin);
    new FurtherRounds(this, plan).run(chapters);
  }

  private void drains(long begin) {
    for (int round = 1; round <= plan.rounds(); round++) {
      long passBegin = WallClock.nanoTime();
      boolean first = round == 1;
      pass(
          "drain " + round,
          DrainRound.measured(plan, kind),
          contender -> drains(contender) && (first || !plan.quick() || !isSlow(contender)),
          true);
      long now = WallClock.nanoTime();
      if (now - begin + (now - passBegin) > plan.drainBudget().toNanos()) {
        return;
      }
    }
  }

  private boolean drains(Contender contender) {
    return !plan.quick() || contender.kind().drainsQuickly();
  }

  private boolean isSlow(Contender contender) {
    double fastest =
        contenders.stream()
            .filter(one -> one.kind().measured().role() == Role.PEER)
            .mapToDouble(one -> one.pace().drained())
            .max()
            .orElse(0);
    return contender.pace().drained() < SLOW * fastest;
  }

  /** Runs one round of each selected contender. */
  void pass(String what, Round round, Predicate<Contender> takesPart, boolean counts) {
    List<Contender> inTurn = contenders.stream().filter(takesPart).toList();
    for (Contender contender : inTurn) {
      one(what, round, contender, counts, null);
    }
    Collections.reverse(contenders);
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
              results.add(kind.word(), measure, contender.kind().measured(), value);
            }
          });
      int repeated = arena.repeated();
      if (repeated > 0) {
        results.note(
            "%s on %s ran %d jobs again (%s)"
                .formatted(contender.kind().measured().name(), kind.word(), repeated, what));
      }
    } catch (ContenderFailedException e) {
      values.append(" FAILED: ").append(e.getMessage());
      results.failed(
          kind.word(), what, contender.kind().measured(), String.valueOf(e.getMessage()));
      contenders.remove(contender);
      contender.close();
    }
    double seconds = Duration.ofNanos(WallClock.nanoTime() - begin).toMillis() / 1_000.0;
    progress.accept(
        "%s %s, %s: %.1f s,%s"
            .formatted(kind.word(), what, contender.kind().measured().name(), seconds, values));
  }

  /** Returns the median of a contender's values; 0 if it has none. */
  double median(Contender contender, Measure measure) {
    return results
        .spread(kind.word(), measure, contender.kind().measured())
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
