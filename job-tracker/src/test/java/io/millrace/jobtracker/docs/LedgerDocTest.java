package io.millrace.jobtracker.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Holds docs/operating.md against the table, on both databases. */
class LedgerDocTest {
  private static final Path PAGE = Path.of("..", "docs", "operating.md");
  private static final Pattern QUERY = Pattern.compile("```sql\n(.*?);\n```", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

  @ParameterizedTest
  @EveryDatabase
  void thePageNamesEveryColumn(TestDatabase.Kind kind) throws IOException {
    try (TestDatabase database = kind.open()) {
      List<String> columns =
          database
              .query(
                  "SELECT column_name FROM information_schema.columns"
                      + " WHERE LOWER(table_name) = 'jt_history' AND table_schema = "
                      + (kind == TestDatabase.Kind.H2 ? "SCHEMA()" : "DATABASE()"))
              .stream()
              .map(name -> name.toLowerCase(Locale.ROOT))
              .toList();

      assertThat(documentedColumns()).containsExactlyInAnyOrderElementsOf(columns);
    }
  }

  @Test
  void thePageHasEveryCauseInWords() throws IOException {
    Map<String, String> documented = new LinkedHashMap<>();
    for (String row : rowsOf("| code |")) {
      String[] cells = row.split(" \\| |\\| | \\|", -1);
      documented.put(cells[1].replace("`", ""), cells[2]);
    }

    documented.forEach(
        (text, words) -> assertThat(CauseWords.english(Cause.decode(text))).isEqualTo(words));
    assertThat(documented.keySet().stream().map(text -> Cause.decode(text).code()))
        .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(CauseCode.FREE_TEXT)));
  }

  @ParameterizedTest
  @EveryDatabase
  void theQueriesFindWhatTheyAreFor(TestDatabase.Kind kind) throws IOException {
    try (TestDatabase database = kind.open()) {
      fill(database);
      List<String> queries =
          QUERY
              .matcher(Files.readString(PAGE))
              .results()
              .map((MatchResult r) -> r.group(1))
              .toList();

      assertThat(queries).hasSize(3);
      assertThat(database.query(queries.get(0))).containsExactly("1795219300000", "1795219200001");
      assertThat(database.query(queries.get(1))).containsExactly("mail", "orders");
      assertThat(database.query(queries.get(2))).containsExactly("close:42");
    }
  }

  /** Two runs of orders/report, one run of instants in mail, and a one-shot long before. */
  private static void fill(TestDatabase database) {
    database.execute(
        """
        INSERT INTO jt_job (id, node_group, task_id, version, state, schedule, spec, params_bytes,
          priority, accepted_at, generated_until, fired_count, exhausted, write_seq)
        VALUES (7, 'orders', 'report', 1, 'ACTIVE', '{}', '{}', 0, 100, 0, 0, 0, FALSE, 0)""");
    row(database, 1795219200001L, "orders", "report", 7, "submission");
    row(database, 1795219300000L, "orders", "report", 7, "submission");
    row(database, 1795219200000L, "mail", "poll", 8, "submission");
    row(database, 1795219199999L, "old", "close:42", 9, "b1e4-7");
  }

  private static void row(
      TestDatabase database,
      long at,
      String nodeGroup,
      String taskId,
      long jobId,
      String submissionId) {
    database.execute(
        """
        INSERT INTO jt_history (id, node_group, task_id, planned_at, ordinal, job_id, job_version,
          status, is_final, reported, attempt, planned_for, planned_to, instants, due_at,
          generated_at, finished_at, submission_id)
        VALUES (%d, '%s', '%s', %d, 0, %d, 1, 'SUCCEEDED', TRUE, TRUE, 1, %d, %d, 1, 0, 0, 0, '%s')"""
            .formatted(
                (at - 1767225600000L) * 4194304,
                nodeGroup,
                taskId,
                at,
                jobId,
                at,
                at,
                submissionId));
  }

  private static List<String> documentedColumns() throws IOException {
    return rowsOf("| column |").stream()
        .flatMap(line -> names(line.substring(2, line.indexOf('|', 2))))
        .toList();
  }

  /** The rows of the table with this head. */
  private static List<String> rowsOf(String head) throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.startsWith(head))
        .skip(2)
        .takeWhile(line -> line.startsWith("| "))
        .toList();
  }

  private static Stream<String> names(String cell) {
    return NAME.matcher(cell).results().map((MatchResult name) -> name.group(1));
  }
}
