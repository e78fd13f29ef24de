package io.millrace.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OutboxConfig;
import io.millrace.internal.time.ManualClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An outbox whose process is killed in the middle of its writes. */
@Timeout(60)
class OutboxKillTest {
  private static final int LINES_BEFORE_THE_KILL = 300;

  @TempDir Path directory;

  @Test
  void whatWasAddedBeforeAKillIsThereAndWhatWasRemovedIsNot() throws Exception {
    Set<Long> added = new HashSet<>();
    Set<Long> leaving = new HashSet<>();
    Set<Long> removed = new HashSet<>();
    Process child = start();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      for (int i = 0; i < LINES_BEFORE_THE_KILL; i++) {
        note(lines.readLine(), added, leaving, removed);
      }
      child.toHandle().destroyForcibly();
      String line = lines.readLine();
      while (line != null && line.endsWith(".")) {
        note(line, added, leaving, removed);
        line = lines.readLine();
      }
    } finally {
      child.destroyForcibly().waitFor();
    }

    try (Outbox outbox = Outbox.open(OutboxConfig.of(directory), new ManualClock(Instant.EPOCH))) {
      Set<Long> found = new HashSet<>();
      outbox.entries().forEach(entry -> found.add(entry.sequence()));
      assertThat(outbox.setAside()).isEmpty();
      assertThat(removed).isNotEmpty();
      assertThat(found).doesNotContainAnyElementsOf(removed);
      added.removeAll(removed);
      added.removeAll(leaving);
      assertThat(found).containsAll(added);
    }
  }

  /** Lines are whole when they end in a dot: "+7." was added, "~7." is to be removed, "-7." was. */
  private static void note(String line, Set<Long> added, Set<Long> leaving, Set<Long> removed) {
    assertThat(line).as("a line of the child").isNotNull().matches("[+~-]\\d+\\.");
    long sequence = Long.parseLong(line.substring(1, line.length() - 1));
    switch (line.charAt(0)) {
      case '+' -> added.add(sequence);
      case '~' -> leaving.add(sequence);
      default -> removed.add(sequence);
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Adds from two threads, removes every third, and tells each after the call returned. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      Outbox outbox =
          Outbox.open(OutboxConfig.of(Path.of(arguments[0])), new ManualClock(Instant.EPOCH));
      Thread second = new Thread(() -> add(outbox, false));
      second.setDaemon(true);
      second.start();
      add(outbox, true);
    }

    private static void add(Outbox outbox, boolean removing) {
      byte[] body = new byte[500];
      while (true) {
        long sequence = outbox.add("key", body);
        tell("+" + sequence);
        if (removing && sequence % 3 == 0) {
          tell("~" + sequence);
          outbox.remove(List.of(sequence));
          tell("-" + sequence);
        }
      }
    }

    private static void tell(String line) {
      synchronized (Child.class) {
        System.out.println(line + ".");
        System.out.flush();
      }
    }
  }
}
