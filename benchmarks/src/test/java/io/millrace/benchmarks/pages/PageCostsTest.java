package io.millrace.benchmarks.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PageCostsTest {

  @Test
  @Tag("long")
  void everyPageIsTimedBesideFewRowsAndBesideMany(@TempDir Path directory) throws Exception {
    Path json = directory.resolve("pages.json");
    StringWriter out = new StringWriter();
    CommandLine pages = PageCosts.commandLine().setOut(new PrintWriter(out, true));

    int status =
        pages.execute(
            "--db", "h2", "--few", "10", "--rows", "20", "--times", "5", "--json", json.toString());

    assertThat(status).isZero();
    assertThat(out.toString()).contains("/api/v1/audit", "/metrics");
    assertThat(Files.readString(json)).contains("\"measure\":\"page /metrics\"", "\"ratio\":");
  }
}
