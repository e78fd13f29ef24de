package io.millrace.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The comparison is seldom run, so that nobody would notice when it no longer works: it does. */
class CompareTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  @Tag("long")
  void millraceAndAPeerAreMeasuredOverTheSameDatabase() throws IOException {
    Path json = directory.resolve("results.json");

    int exit =
        run(
            "--tiny",
            "--quick",
            "--db",
            "h2",
            "--only",
            "millrace,db-scheduler-fetch",
            "--json",
            json + "");

    assertThat(exit).as("exit code after: %s", err).isZero();
    JSONObject report = JSON.parseObject(Files.readString(json));
    assertThat(report.getJSONArray("failures")).isEmpty();
    List<JSONObject> measures = report.getList("measures", JSONObject.class);
    assertThat(measures)
        .extracting(measure -> measure.getString("measure"))
        .contains("submit_batch", "drain", "lateness_p50", "lateness_p99");
    assertThat(measures)
        .filteredOn(measure -> "higher".equals(measure.getString("better")))
        .allSatisfy(
            measure -> {
              assertThat(measure.getDoubleValue("ours")).isPositive();
              assertThat(measure.getDoubleValue("best_peer")).isPositive();
              assertThat(measure.getString("peer")).isEqualTo("db-scheduler fetch");
            });
    assertThat(out.toString()).contains("on h2").doesNotContain("FAILED");
  }

  @Test
  void whatIsNoContenderIsRefused() {
    assertThat(run("--only", "cron")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("there is no contender 'cron'");
  }

  private int run(String... arguments) {
    return Compare.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
