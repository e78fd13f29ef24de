package io.millrace.scripts.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.lifecycle.NamedThreads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryWatchTest {
  private static final int LARGE = 1 << 20;

  @TempDir Path directory;

  /** A process with a node's thread that runs out of memory, and others that would go on. */
  static final class Hungry {
    private static volatile Object @Nullable [] kept;

    private Hungry() {}

    /**
     * @param arguments the length of the arrays that fill the memory
     */
    public static void main(String[] arguments) throws InterruptedException {
      int length = Integer.parseInt(arguments[0]);
      MemoryWatch.install();
      NamedThreads.user("hungry").newThread(() -> eat(length)).start();
      new CountDownLatch(1).await();
    }

    private static void eat(int length) {
      while (true) {
        Object[] more = new Object[length];
        more[0] = kept;
        kept = more;
      }
    }
  }

  /** After small arrays there is no room for a message either. */
  @ParameterizedTest
  @ValueSource(ints = {LARGE, 1})
  void aProcessWithoutMemoryEndsAndSaysSo(int arrays) throws Exception {
    Path said = directory.resolve("said");
    Process process = process(said, arrays);
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(MemoryWatch.EXIT_CODE);
    assertThat(said).content().contains("Terminating: out of memory");
  }

  @Test
  void aProcessThatTheJvmWouldNotEndSaysHowItWould() throws Exception {
    Path said = directory.resolve("said");
    Process process = process(said, LARGE);
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(said)).contains(MemoryWatch.OPTION);
  }

  private static Process process(Path said, int arrays) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx32m",
            Hungry.class.getName(),
            String.valueOf(arrays));
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
  }
}
