package io.millrace.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code logback-file.xml}, by which nodes in the background log, does with many lines. */
class LogFileTest {
  private static final int LINES = 5_000;
  private static final int MEBIBYTE = 1 << 20;
  private static final Predicate<String> UNPACKED =
      Pattern.compile("tracker\\.log\\.[-0-9]+\\.[0-9]+").asMatchPredicate();

  @TempDir private Path directory;

  /**
   * A process that logs some MiB of noise, which no packing makes smaller than half. It logs no
   * faster than Logback packs: files that still wait to be packed count in full, and for a burst of
   * more of them than the total size allows, Logback deletes every packed one.
   */
  public static final class Noise {
    private Noise() {}

    public static void main(String[] words) throws IOException {
      Logger log = LoggerFactory.getLogger(Noise.class);
      Path directory = Path.of(System.getProperty("millrace.log")).getParent();
      Random random = new Random(1);
      byte[] noise = new byte[500];
      for (int i = 1; i <= LINES; i++) {
        random.nextBytes(noise);
        log.warn("line {} {}", i, HexFormat.of().formatHex(noise));
        while (names(directory).stream().anyMatch(UNPACKED)) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @Test
  void logIsRolledAndPackedAndTakesNoMoreThanItMay() throws Exception {
    Path log = directory.resolve("tracker.log");
    Path output = directory.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dlogback.configurationFile=logback-file.xml",
            "-Dmillrace.log=" + log,
            "-Dmillrace.log.file-size=100KB",
            "-Dmillrace.log.total-size=1MB",
            Noise.class.getName());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();

    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    assertThat(process.exitValue()).isZero();
    // Logback would tell all of its configuration there if it had to warn of any.
    assertThat(output).content().doesNotContain("|-");
    assertThat(log).content().contains("line " + LINES + " ");
    assertThat(names(directory)).anyMatch(name -> name.matches("tracker\\.log\\..*\\.gz"));
    assertThat(bytes()).isLessThan(2L * MEBIBYTE);
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  private long bytes() throws IOException {
    long bytes = 0;
    for (String name : names(directory)) {
      bytes += Files.size(directory.resolve(name));
    }
    return bytes;
  }
}
