package io.millrace.torture.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SameTablesCheckTest {
  private static final JobRow JOB = new JobRow("orders", "report", 2, "FINISHED", 0, 0);
  private static final Tables TABLES =
      new Tables(List.of(row(1), row(2)), List.of(), List.of(JOB), List.of());

  private static LedgerEntry row(long id) {
    return new LedgerEntry(
        id,
        "orders",
        "close",
        0,
        0,
        7,
        0,
        LedgerStatus.SUCCEEDED,
        true,
        null,
        1,
        10,
        10,
        1,
        10,
        11L,
        12,
        "worker-1",
        null);
  }

  private static Findings compared(Tables second) {
    Map<String, Tables> read = new LinkedHashMap<>();
    read.put("the first", TABLES);
    read.put("the second", second);
    Findings findings = new Findings();
    new SameTablesCheck(read)
        .check(
            new Records(
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                TABLES,
                new Faults(List.of(), Story.TRACKER_LEASE, Story.WORKER_LEASE)),
            findings);
    return findings;
  }

  @Test
  void equalTablesAreCounted() {
    Findings findings =
        compared(new Tables(List.of(row(1), row(2)), List.of(), List.of(JOB), List.of()));

    assertThat(findings.sentences()).isEmpty();
    assertThat(findings.notes()).containsExactly("places that hold the same rows as the first: 1");
  }

  @Test
  void aRowThatIsMissingInOnePlaceIsLost() {
    Findings findings = compared(new Tables(List.of(row(2)), List.of(), List.of(JOB), List.of()));

    assertThat(findings.count(Promise.LOST)).isEqualTo(1);
    assertThat(findings.sentences())
        .singleElement()
        .asString()
        .contains("of 2 rows of jt_history in the first, the second lacks 1", "id=1", "0 others");
    assertThat(findings.notes()).isEmpty();
  }

  @Test
  void aReplayThatIsRecordedInOnePlaceOnlyIsLost() {
    DeadRow dead = new DeadRow(2, 7, 0, 0, 0, "REPLAYED", 9L, 0);
    Findings findings =
        compared(new Tables(TABLES.ledger(), List.of(), List.of(JOB), List.of(dead)));

    assertThat(findings.sentences())
        .singleElement()
        .asString()
        .contains("jt_dead", "lacks 0", "1 others", "replayId=9");
  }

  @Test
  void aJobOfAnotherVersionIsLost() {
    Findings findings =
        compared(
            new Tables(
                TABLES.ledger(),
                List.of(),
                List.of(new JobRow("orders", "report", 1, "ACTIVE", 0, 0)),
                List.of()));

    assertThat(findings.sentences())
        .singleElement()
        .asString()
        .contains("jt_job", "version=2", "version=1", "lacks 1", "1 others");
  }
}
