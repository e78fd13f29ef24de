package io.millrace.scripts.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.lifecycle.NamedThreads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MemoryWatchTest {

  /** A process with a node's thread that runs out of memory, and others that would go on. */
  static final class Hungry {
    private Hungry() {}

    public static void main(String[] arguments) throws InterruptedException {
      MemoryWatch.install();
      List<byte[]> kept = new ArrayList<>();
      NamedThreads.user("hungry")
          .newThread(
              () -> {
                while (true) {
                  kept.add(new byte[1 << 20]);
                }
              })
          .start();
      new CountDownLatch(1).await();
    }
  }

  @Test
  void aProcessWithoutMemoryEndsAndSaysSo() throws Exception {
    Process process = process();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(MemoryWatch.EXIT_CODE);
      assertThat(said).contains("Terminating: out of memory in hungry-1");
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process process() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            Hungry.class.getName());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.redirectErrorStream(true).start();
  }
}
