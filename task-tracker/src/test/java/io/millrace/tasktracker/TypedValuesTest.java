package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.NotRetryableException;
import io.millrace.api.Outcome;
import io.millrace.api.ParameterException;
import io.millrace.api.ValueMapper;
import io.millrace.api.ValueType;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TypedValuesTest {
  enum Colour {
    RED
  }

  record Line(String product, int count) {}

  record Order(long id, List<Line> lines) {}

  private static ExecutionResult run(Map<String, String> params, JobRunner runner) {
    return run(ValueMapper.standard(), params, runner);
  }

  private static ExecutionResult run(
      ValueMapper values, Map<String, String> params, JobRunner runner) {
    HandDrivenWorker worker = HandDrivenWorker.with(runner).values(values).connect();
    worker.tracker.assign(with(params));
    worker.runInvocations();
    return worker.resultOf(11);
  }

  private static Assignment with(Map<String, String> params) {
    Assignment plain = execution(11);
    return new Assignment(
        plain.executionId(),
        plain.nodeGroup(),
        plain.taskId(),
        plain.plannedFor(),
        plain.ordinal(),
        plain.dueAt(),
        plain.attempt(),
        plain.maxAttempts(),
        null,
        params,
        null,
        null);
  }

  /** Returns what an invocation reads from its parameters. */
  private static <T> T read(Map<String, String> params, Function<JobContext, T> reader) {
    AtomicReference<T> read = new AtomicReference<>();
    ExecutionResult result =
        run(
            params,
            context -> {
              read.set(reader.apply(context));
              return Result.success();
            });
    assertThat(result.outcome()).as(result.message()).isEqualTo(Outcome.SUCCESS);
    return read.get();
  }

  @Test
  void parameterIsReadAsAValue() {
    Map<String, String> params =
        Map.of("order", "{\"id\":42,\"lines\":[{\"product\":\"nail\",\"count\":3}]}", "n", "5");

    assertThat(TypedValuesTest.<Order>read(params, context -> context.param("order", Order.class)))
        .isEqualTo(new Order(42, List.of(new Line("nail", 3))));
    assertThat(TypedValuesTest.<Integer>read(params, context -> context.param("n", int.class)))
        .isEqualTo(5);
    assertThat(TypedValuesTest.<String>read(params, context -> context.param("n", String.class)))
        .isEqualTo("5");
    assertThat(
            TypedValuesTest.<List<Line>>read(
                Map.of("lines", "[{\"product\":\"nut\",\"count\":1}]"),
                context -> context.param("lines", new ValueType<List<Line>>() {})))
        .containsExactly(new Line("nut", 1));
  }

  /** A command line gives text without quotes. */
  @Test
  void textThatIsNoJsonIsReadAsText() {
    Map<String, String> params = Map.of("day", "2026-11-23", "colour", "RED");

    assertThat(
            TypedValuesTest.<LocalDate>read(
                params, context -> context.param("day", LocalDate.class)))
        .isEqualTo(LocalDate.of(2026, 11, 23));
    assertThat(
            TypedValuesTest.<Colour>read(params, context -> context.param("colour", Colour.class)))
        .isEqualTo(Colour.RED);
  }

  @Test
  void optionalParameterMayBeMissingButMustFit() {
    assertThat(
            TypedValuesTest.<Optional<Integer>>read(
                Map.of(), context -> context.optionalParam("n", Integer.class)))
        .isEmpty();
    assertThat(
            TypedValuesTest.<Optional<Integer>>read(
                Map.of("n", "7"), context -> context.optionalParam("n", Integer.class)))
        .contains(7);

    ExecutionResult result =
        run(
            Map.of("n", "\"7\""),
            context -> Result.of(context.optionalParam("n", Integer.class).isPresent()));
    assertThat(result.noRetry()).isTrue();
  }

  @Test
  void parameterThatDoesNotFitEndsTheTriggerAndNamesItsPlace() {
    ExecutionResult result =
        run(
            Map.of("order", "{\"id\":42,\"lines\":[{\"product\":\"nail\",\"count\":\"3\"}]}"),
            context -> Result.of(context.param("order", Order.class)));

    assertThat(result.outcome()).isEqualTo(Outcome.EXCEPTION);
    assertThat(result.noRetry()).isTrue();
    assertThat(result.message())
        .startsWith(
            "io.millrace.api.ParameterException: job orders/task-11: parameter order does not fit "
                + Order.class.getName()
                + ": lines[0].count: is text and not a whole number");
    assertThat(result.exceptionTypes())
        .startsWith(ParameterException.class.getName(), NotRetryableException.class.getName());
  }

  @Test
  void missingParameterEndsTheTriggerAndNamesThoseThatThereAre() {
    ExecutionResult result =
        run(Map.of("a", "1"), context -> Result.of(context.param("order", Order.class)));

    assertThat(result.noRetry()).isTrue();
    assertThat(result.message())
        .contains("job orders/task-11: parameter order is missing; the job has [a]");
  }

  @Test
  void handlerMaySayThatNoRetryCanHelp() {
    ExecutionResult result =
        run(
            Map.of(),
            context -> {
              throw new NotRetryableException("the order is cancelled");
            });
    ExecutionResult usual =
        run(
            Map.of(),
            context -> {
              throw new IllegalStateException(new NotRetryableException("only the cause"));
            });

    assertThat(result.noRetry()).isTrue();
    assertThat(usual.noRetry()).isFalse();
  }

  @Test
  void valueIsReportedAsJsonAndAMessageIsNot() {
    ExecutionResult value = run(Map.of(), context -> Result.of(new Line("nail", 3), "three nails"));
    ExecutionResult text = run(Map.of(), context -> Result.of("a text"));
    ExecutionResult message = run(Map.of(), context -> Result.success("a text"));

    assertThat(value.outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(value.result()).isEqualTo("{\"product\":\"nail\",\"count\":3}");
    assertThat(value.message()).isEqualTo("three nails");
    assertThat(text.result()).isEqualTo("\"a text\"");
    assertThat(text.message()).isNull();
    assertThat(message.result()).isNull();
    assertThat(message.message()).isEqualTo("a text");
  }

  @Test
  void valueOfExactlyTheBoundIsKeptAndOneByteMoreIsFailed() {
    ExecutionResult most = run(Map.of(), context -> Result.of("ü".repeat(32_767)));
    ExecutionResult tooLarge =
        run(Map.of(), context -> Result.of("ü".repeat(32_767) + "x", "10 rows"));

    assertThat(most.outcome()).isEqualTo(Outcome.SUCCESS);
    assertThat(tooLarge.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(tooLarge.result()).isNull();
    assertThat(tooLarge.message())
        .isEqualTo(
            "the job ended without an error, but its result, a java.lang.String, cannot be kept:"
                + " it has 65537 bytes of UTF-8; at most 65536 are allowed\n10 rows");
  }

  @Test
  void valueWithoutJsonIsFailedAndNotRetried() {
    ExecutionResult result =
        run(Map.of(), context -> Result.of(List.of(new StringBuilder("a bean"))));

    assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(result.message())
        .contains("cannot be kept", "[0]: java.lang.StringBuilder has no JSON form");
  }

  @Test
  void anotherMapperReadsParametersAndWritesResultsAndIsNotTrusted() {
    ValueMapper own = new OwnMapper();

    ExecutionResult result =
        run(
            own,
            Map.of("n", "1"),
            context -> Result.of(context.param("n", StringBuilder.class).append('!')));
    ExecutionResult bad = run(own, Map.of(), context -> Result.of(Duration.ZERO));
    ExecutionResult nothing = run(own, Map.of(), context -> Result.of('0'));
    ExecutionResult failing = run(own, Map.of(), context -> Result.of(0));

    assertThat(result.result()).isEqualTo("[\"1!\"]");
    assertThat(bad.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(bad.message()).contains("it is not JSON: expected a value at character 0");
    assertThat(nothing.message()).contains("it has no JSON: the mapper returned null");
    assertThat(failing.message()).contains("it has no JSON form: planted");
  }

  private static final class OwnMapper implements ValueMapper {
    @Override
    public String toJson(Object value) {
      if (value instanceof Integer) {
        throw new IllegalStateException("planted");
      }
      if (value instanceof Character) {
        return null;
      }
      return value instanceof Duration ? "PT0S" : "[\"" + value + "\"]";
    }

    @Override
    public Object fromJson(String json, Type type) {
      return new StringBuilder(json);
    }
  }
}
