package io.millrace.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the file {@code logback-file.xml} of the distribution does with lines. */
class LogFileTest {
  private static final int MEBIBYTE = 1 << 20;

  private final LoggerContext context = new LoggerContext();
  @TempDir private Path directory;

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void logOfANodeInTheBackgroundIsRolledAndTakesNoMoreThanItMay() throws Exception {
    Path log = directory.resolve("tracker.log");
    context.putProperty("millrace.log", log.toString());
    context.putProperty("millrace.log.file-size", "100KB");
    context.putProperty("millrace.log.total-size", "1MB");
    configure();

    Random random = new Random(1);
    byte[] noise = new byte[500];
    for (int i = 0; i < 5 * MEBIBYTE / 1_000; i++) {
      random.nextBytes(noise);
      logger().warn("{} {}", i, HexFormat.of().formatHex(noise));
    }

    assertThat(log).isRegularFile();
    await().untilAsserted(() -> assertThat(bytes()).isBetween(100_000L, 2L * MEBIBYTE));
    assertThat(log).content().contains(5 * MEBIBYTE / 1_000 - 1 + " ");
  }

  private void configure() throws Exception {
    context.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Path.of("src/main/resources/logback-file.xml").toFile());
  }

  private Logger logger() {
    return context.getLogger("io.millrace.test");
  }

  private long bytes() {
    return files().stream().mapToLong(LogFileTest::size).sum();
  }

  private List<Path> files() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One that is deleted meanwhile has none. */
  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }
}
