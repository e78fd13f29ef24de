package io.millrace.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.report.Results;
import io.millrace.benchmarks.report.Results.Failure;
import io.millrace.benchmarks.report.TextReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseRunTest {
  @TempDir private Path logs;

  /** Where a file is, there is no room for a directory. */
  private static final class Nowhere implements Databases {
    private int given;

    @Override
    public Fresh fresh() {
      given++;
      return new Fresh() {
        @Override
        public String url() {
          return "jdbc:h2:file:/dev/null/nowhere";
        }

        @Override
        public String user() {
          return "";
        }

        @Override
        public void close() {
          given--;
        }
      };
    }

    @Override
    public long serverCpuMicros() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Test
  void aContenderThatFailsIsToldOfOnceAndTakesNoFurtherPart() {
    Results results = new Results();
    List<String> progress = new ArrayList<>();
    Nowhere nowhere = new Nowhere();

    try (DatabaseRun run =
        new DatabaseRun(Plan.ofTest(true), DatabaseKind.H2, nowhere, results, progress::add)) {
      run.run(Set.of(ContenderKind.DB_SCHEDULER_FETCH), Chapter.all(), logs, null);
      assertThat(run.contenders()).isEmpty();
    }

    assertThat(results.failures()).hasSize(1);
    Failure failure = results.failures().get(0);
    assertThat(failure.contender()).isEqualTo("db-scheduler fetch");
    assertThat(failure.reason()).contains("OPEN", "/dev/null");
    assertThat(progress).hasSize(1).allMatch(line -> line.contains("FAILED"));
    assertThat(TextReport.of(results, List.of()))
        .anyMatch(line -> line.startsWith("FAILED on h2: db-scheduler fetch, drain 1: "));
    assertThat(nowhere.given).as("databases that were not given back").isZero();
  }
}
