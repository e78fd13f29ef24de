package io.millrace.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The measurements are seldom run: a short form of each shows that it still works. */
class ScaleTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  @Tag("long")
  void allThatIsPossibleIsMeasuredOnH2() throws IOException {
    List<JSONObject> measures =
        measured(
            "--waiting",
            "50",
            "--ended",
            "100",
            "--groups",
            "1,2",
            "--workers",
            "2,3",
            "--trackers",
            "1,2");

    assertThat(measures)
        .extracting(measure -> measure.getString("measure") + ": " + measure.getString("what"))
        .contains(
            "rows: batch submit",
            "rows: drain",
            "rows: heap of the tracker",
            "rows: p95 of /metrics",
            "groups: heap of the tracker",
            "groups: processor time of the tracker, idle",
            "groups: start until all are served",
            "workers: heap of the tracker for a worker",
            "workers: drain",
            "workers: restart: all workers are connected after");
    assertThat(sizes(measures, "rows")).containsOnly(List.of(0L, 150L));
    assertThat(sizes(measures, "groups")).containsOnly(List.of(1L, 2L));
    assertThat(sizes(measures, "workers")).containsOnly(List.of(2L, 3L));
    assertThat(out.toString())
        .contains("per node group", "per worker", "trackers on h2: left out")
        .doesNotContain("FAILED");
  }

  @Test
  @Tag("long")
  void severalTrackersAreMeasuredOnAServer() throws IOException {
    List<JSONObject> measures =
        measured(
            "--db",
            "mariadb",
            "--measure",
            "groups,trackers",
            "--groups",
            "2",
            "--trackers",
            "1,2");

    assertThat(measures)
        .extracting(measure -> measure.getString("what"))
        .contains(
            "statements, idle",
            "other closed until all are served",
            "other lost until all are served",
            "drain of all together",
            "processor time of the trackers for a job",
            "processor time of the database for a job",
            "heap of a tracker, largest");
    assertThat(sizes(measures, "trackers")).containsOnly(List.of(1L, 2L));
  }

  private List<JSONObject> measured(String... arguments) throws IOException {
    Path json = directory.resolve("scale.json");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--tiny", "--json", json.toString()));
    int exit = run(all.toArray(String[]::new));
    assertThat(exit).as("exit code after: %s", err).isZero();
    JSONObject report = JSON.parseObject(Files.readString(json));
    assertThat(report.getJSONArray("failures")).isEmpty();
    return report.getList("measures", JSONObject.class);
  }

  private static List<List<Long>> sizes(List<JSONObject> measures, String measurement) {
    return measures.stream()
        .filter(measure -> measure.getString("measure").equals(measurement))
        .map(
            measure ->
                measure.getList("values", JSONObject.class).stream()
                    .map(value -> value.getLong("size"))
                    .toList())
        .toList();
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    assertRefused("columns", "--measure", "columns");
    assertRefused("--groups must be 1 to 20,000, not 0", "--groups", "1,0");
    assertRefused("'many' is not a", "--workers", "many");
    assertRefused("--trackers must be 1 to 8, not 9", "--trackers", "9");
    assertRefused("needs a database server", "--measure", "trackers", "--db", "h2");
  }

  private void assertRefused(String message, String... arguments) {
    assertThat(run(arguments)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(message);
  }

  private int run(String... arguments) {
    return ScaleCosts.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
