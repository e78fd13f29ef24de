package io.millrace.benchmarks.micro;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.SubmitRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of writing and reading the messages of a job's life: each job has 120 bytes of
 * parameters, and its result has no message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the method of @Setup first
public class CodecBenchmark {
  /** The maximum number of jobs that a worker with 16 slots receives at once. */
  static final int SLOTS = 16;

  static final int BATCH = 100;

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");
  private static final long FIRST_ID = 1L << 60;
  private static final Map<String, String> PARAMS =
      Map.of("order", "4711", "customer", "c".repeat(50), "note", "n".repeat(50));

  /** The measured messages. */
  public enum Message {
    SUBMIT_1,
    SUBMIT_100,
    PULL_REPLY_16,
    REPORT_16;

    Record record() {
      return switch (this) {
        case SUBMIT_1 -> new SubmitRequest(listOf(1, Message::submission));
        case SUBMIT_100 -> new SubmitRequest(listOf(BATCH, Message::submission));
        case PULL_REPLY_16 -> PullReply.of(listOf(SLOTS, Message::assignment), List.of());
        case REPORT_16 -> new CompleteRequest(listOf(SLOTS, Message::result));
      };
    }

    private static <T> List<T> listOf(int count, IntFunction<T> each) {
      return IntStream.range(0, count).mapToObj(each).toList();
    }

    private static JobSubmission submission(int number) {
      return new JobSubmission(
          "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0-" + number,
          Job.builder("orders", "order-" + number).at(NOW).params(PARAMS).build());
    }

    private static Assignment assignment(int number) {
      return new Assignment(
          FIRST_ID + number,
          "orders",
          "order-" + number,
          NOW,
          0,
          NOW,
          1,
          4,
          null,
          PARAMS,
          null,
          null);
    }

    private static ExecutionResult result(int number) {
      return new ExecutionResult(
          FIRST_ID + number, Outcome.SUCCESS, null, null, List.of(), NOW, NOW.plusMillis(3));
    }
  }

  @Param public Message message;

  private final JsonCodec codec = new JsonCodec();
  private Record record;
  private byte[] json;

  @Setup
  public void write() {
    record = message.record();
    json = codec.encode(record);
  }

  @Benchmark
  public byte[] encode() {
    return codec.encode(record);
  }

  @Benchmark
  public Record decode() {
    return codec.decode(json, record.getClass());
  }
}
