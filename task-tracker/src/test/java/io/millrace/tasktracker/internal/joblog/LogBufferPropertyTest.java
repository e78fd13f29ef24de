package io.millrace.tasktracker.internal.joblog;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever is written and however slowly it is taken: bounded, in order, and all accounted for. */
class LogBufferPropertyTest {
  private static final Instant NOW = Instant.EPOCH;

  @Property
  void everyLineIsKeptInOrderOrCountedAsDropped(
      @ForAll @IntRange(min = 1, max = 5) int executions,
      @ForAll @IntRange(min = 2, max = 30) int maxLines,
      @ForAll @IntRange(min = 500, max = 5_000) int maxBytes,
      @ForAll @IntRange(min = 1, max = 300) int steps,
      @ForAll long seed) {
    Random random = new Random(seed);
    LogBuffer buffer = new LogBuffer(maxLines, maxBytes);
    List<LogStream> streams =
        Stream.iterate(1L, id -> id + 1).limit(executions).map(LogStream::new).toList();
    Deque<List<LogLine>> underWay = new ArrayDeque<>();
    List<LogLine> arrived = new ArrayList<>();
    int[] written = new int[executions];

    for (int i = 0; i < steps; i++) {
      switch (random.nextInt(8)) {
        case 0 -> underWay.add(buffer.take(1 + random.nextInt(5), 1_000));
        case 1 -> acknowledgeOne(buffer, underWay, arrived);
        default -> {
          int execution = random.nextInt(executions);
          written[execution]++;
          String text = "x".repeat(random.nextInt(150));
          buffer.append(streams.get(execution), NOW, LogLevel.INFO, text);
        }
      }
      assertThat(buffer.size()).isBetween(0, maxLines);
    }
    drain(buffer, underWay, arrived);

    for (int execution = 0; execution < executions; execution++) {
      assertAllAccountedFor(execution + 1L, written[execution], arrived);
    }
    assertThat(buffer.size()).isZero();
  }

  private static void acknowledgeOne(
      LogBuffer buffer, Deque<List<LogLine>> underWay, List<LogLine> arrived) {
    if (!underWay.isEmpty()) {
      List<LogLine> batch = underWay.remove();
      arrived.addAll(batch);
      buffer.acknowledged(batch, NOW);
    }
  }

  private static void drain(
      LogBuffer buffer, Deque<List<LogLine>> underWay, List<LogLine> arrived) {
    List<LogLine> batch = List.of();
    do {
      while (!underWay.isEmpty()) {
        acknowledgeOne(buffer, underWay, arrived);
      }
      batch = buffer.take(100, 100_000);
      underWay.add(batch);
    } while (!batch.isEmpty());
  }

  private static void assertAllAccountedFor(long executionId, int written, List<LogLine> arrived) {
    List<LogLine> lines =
        arrived.stream().filter(line -> line.executionId() == executionId).toList();
    int last = 0;
    int accounted = 0;
    for (LogLine line : lines) {
      if (line.level() == LogLevel.WARN) {
        int dropped = Integer.parseInt(line.text().substring(0, line.text().indexOf(' ')));
        assertThat(line.sequence()).isEqualTo(last + dropped + 1);
        accounted += dropped;
      } else {
        assertThat(line.sequence()).isEqualTo(last + 1);
        accounted++;
      }
      last = line.sequence();
    }
    assertThat(accounted).isEqualTo(written);
  }
}
