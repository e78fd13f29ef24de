package io.millrace.torture.oracle;

import io.millrace.internal.time.Clock;
import io.millrace.internal.time.SystemClock;
import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.Call;
import io.millrace.torture.journal.Charge;
import io.millrace.torture.journal.Checkpoint;
import io.millrace.torture.journal.Delivery;
import io.millrace.torture.journal.Reduction;
import io.millrace.torture.journal.Replay;
import io.millrace.torture.journal.Run;
import io.millrace.torture.load.Step;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Decides whether a run broke a promise. */
public final class Oracle {
  private static final int MOST_PATIENCES = 10;

  private Oracle() {}

  /**
   * Waits until no trigger waits, no execution runs and every job is over. Retries if a database
   * does not respond.
   *
   * @param patience how long the tables may stay unchanged before the wait ends without rest; the
   *     total limit is ten times as long
   * @param every the interval between two reads
   * @return whether the cluster came to rest
   */
  public static boolean awaitQuiet(DatabaseAccess database, Duration patience, Duration every) {
    Clock clock = new SystemClock();
    long begun = clock.nanoTime();
    long changedAt = begun;
    Optional<Tables> before = Optional.empty();
    while (true) {
      Optional<Tables> live = readLive(database);
      if (live.isPresent() && live.get().isQuiet()) {
        return true;
      }
      long now = clock.nanoTime();
      if (!live.equals(before)) {
        changedAt = now;
        before = live;
      }
      if (now - changedAt > patience.toNanos()
          || now - begun > patience.multipliedBy(MOST_PATIENCES).toNanos()
          || !pause(every)) {
        return false;
      }
    }
  }

  private static Optional<Tables> readLive(DatabaseAccess database) {
    try (Connection connection = database.open()) {
      return Optional.of(new TablesReader(connection).readLive());
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  private static boolean pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Compares all records of a run with each other. */
  public static Verdict check(Evidence evidence) {
    Map<String, Tables> read = new LinkedHashMap<>();
    evidence.databases().forEach(database -> read.put(database.name(), tables(database)));
    Faults faults = new Faults(evidence.faults(), evidence.trackerLease(), evidence.workerLease());
    Records records =
        new Records(
            evidence.workload().jobs(),
            evidence.workload().steps().stream()
                .collect(Collectors.toMap(Step::number, Function.identity())),
            Call.read(evidence.submitJournals()),
            Delivery.read(evidence.submitJournals()),
            Run.read(evidence.runJournals()),
            Charge.read(evidence.runJournals()),
            Checkpoint.read(evidence.runJournals()),
            Reduction.read(evidence.runJournals()),
            Replay.read(evidence.replayJournals()),
            read.values().iterator().next(),
            faults);
    Findings findings = new Findings();
    new SameTablesCheck(read).check(records, findings);
    evidence.miscounts().forEach(sentence -> findings.broken(Promise.ACCEPTED_TWICE, sentence));
    return check(records, findings, evidence.misfireThreshold(), evidence.trackers());
  }

  private static Tables tables(DatabaseAccess database) {
    try (Connection connection = database.open()) {
      return new TablesReader(connection).read();
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the ledger in " + database.name() + " cannot be read: " + e.getMessage(), e);
    }
  }

  static Verdict check(
      Records records, Findings findings, Duration misfireThreshold, int trackers) {
    checks(misfireThreshold).forEach(check -> check.check(records, findings));
    if (trackers > 1) {
      new DispatchCheck().check(records, findings);
    }
    return new Verdict(
        findings.count(Promise.LOST),
        findings.count(Promise.UNEXPLAINED_DUPLICATE),
        findings.count(Promise.ACCEPTED_TWICE),
        findings.count(Promise.EARLY),
        findings.count(Promise.STUCK),
        acknowledged(records),
        (int) records.tables().ledger().stream().filter(LedgerEntry::isFinal).count(),
        records.faults().done(),
        findings.longestGap(),
        findings.sentences(),
        findings.notes());
  }

  private static List<Check> checks(Duration misfireThreshold) {
    return List.of(
        new TriggerEndsCheck(),
        new ReportsCheck(),
        new JustifiedEndsCheck(misfireThreshold),
        new OneShotsCheck(),
        new InstantsCheck(),
        new ChainsCheck(),
        new StartsCheck(),
        new ChargesCheck(),
        new CheckpointsCheck(),
        new ReplaysCheck(),
        new OverlapsCheck(),
        new BatchesCheck(),
        new ReducesCheck(),
        new BroadcastsCheck(),
        new PlacesCheck(),
        new EarlyCheck(misfireThreshold),
        new ChangesCheck(),
        new LeftoversCheck());
  }

  private static int acknowledged(Records records) {
    return (int)
        records.calls().stream()
            .filter(call -> call.answer().isStored() || call.answer() == Answer.SAVED_LOCALLY)
            .count();
  }
}
