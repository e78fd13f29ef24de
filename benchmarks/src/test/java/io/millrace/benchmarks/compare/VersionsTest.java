package io.millrace.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.child.ChildJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class VersionsTest {
  @TempDir private Path other;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  @Tag("long")
  void versionsAreMeasuredInTurn() throws IOException {
    Path target = Files.createDirectories(other.resolve("benchmarks").resolve("target"));
    Path unused = Files.writeString(target.resolve("class-path"), ChildJvm.classPathOfThis());

    int exit = run(other + "", "--tiny", "--jobs", "20", "--rounds", "2", "--warm-up", "1");

    assertThat(exit).as("exit code after: %s", err).isZero();
    assertThat(out.toString())
        .contains("submit_batch", "drain", "cpu_per_1000", "this version / " + other + ": ")
        .contains("this version / this version again: ", "2 rounds");
  }

  @Test
  void directoryWithoutBuiltBenchmarksIsNamed() {
    assertThat(run(other + "")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(other + " has no built benchmarks");
  }

  private int run(String... arguments) {
    return Versions.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
