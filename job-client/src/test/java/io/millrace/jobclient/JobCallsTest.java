package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Explanation;
import io.millrace.api.FactKind;
import io.millrace.api.Job;
import io.millrace.api.RunNowResult;
import io.millrace.internal.model.ParamsLimit;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExplainRequest;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobclient.fake.FakeConnector;
import io.millrace.jobclient.fake.FakeSession;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class JobCallsTest {
  private static final ChangeResult CHANGED =
      new ChangeResult(ChangeStatus.CHANGED, 2, "it is paused");
  private static final RunNowResult STORED =
      new RunNowResult(ChangeStatus.CHANGED, Instant.EPOCH, 1, "it is stored");
  private static final Explanation EXPLANATION =
      new Explanation(
          "orders",
          "report",
          Instant.EPOCH,
          List.of(new Explanation.Fact(FactKind.NEXT_FIRE, Instant.EPOCH, "fires next")),
          List.of());

  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final FakeConnector connector = new FakeConnector();
  private final ClientResources resources =
      new ClientResources(clock, timer, Runnable::run, Runnable::run, connector, new Random(1));
  private final JobClient client =
      JobClient.builder()
          .trackers("127.0.0.1:35001")
          .closeTimeout(Duration.ZERO)
          .resources(resources)
          .build();

  @AfterEach
  void close() {
    client.close();
  }

  /** Name, call, the request it sends without a submission id, and the answer. */
  static Stream<Arguments> calls() {
    return Stream.of(
        call(
            "pause of orders/report",
            client -> client.pause("orders", "report"),
            new PauseRequest("orders", "report", null),
            CHANGED),
        call(
            "pause of orders/report",
            client -> client.pause("orders", "report", "the printer is out of ink"),
            new PauseRequest("orders", "report", "the printer is out of ink"),
            CHANGED),
        call(
            "resume of orders/report",
            client -> client.resume("orders", "report"),
            new ResumeRequest("orders", "report"),
            CHANGED),
        call(
            "run now of orders/report",
            client -> client.runNow("orders", "report"),
            new RunNowRequest("", "orders", "report", null),
            STORED),
        call(
            "run now of orders/report",
            client -> client.runNow("orders", "report", Map.of("day", "monday")),
            new RunNowRequest("", "orders", "report", Map.of("day", "monday")),
            STORED),
        call(
            "explain of orders/report",
            client -> client.explain("orders", "report"),
            new ExplainRequest("orders", "report"),
            EXPLANATION));
  }

  private static Arguments call(
      String name, Function<JobClient, Object> call, Request<?> request, Object answer) {
    return Arguments.of(name, call, request, answer);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void callIsSentUnchangedUntilItIsAnswered(
      String name, Function<JobClient, Object> call, Request<?> request, Object answer)
      throws Exception {
    CompletableFuture<Object> result = inBackground(() -> call.apply(client));
    awaitCalls(1);

    connector.session().last().fail(ErrorCode.UNAVAILABLE, "the store is out of reach");
    timer.advance(Duration.ofSeconds(1));
    List<? extends Request<?>> sent = requests();
    connector.session().last().answer(answer);

    assertThat(plain(result.get())).isEqualTo(answer);
    assertThat(sent).hasSize(2);
    assertThat(sent.get(1)).isEqualTo(sent.get(0));
    assertThat(withoutSubmissionId(sent.get(0))).isEqualTo(request);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void callWithoutAnswerNamesItselfTheTrackersAndTheFailure(
      String name, Function<JobClient, Object> call, Request<?> request, Object answer) {
    connector.down();
    CompletableFuture<Object> result = inBackground(() -> call.apply(client));

    awaitTimeout(result);

    assertFailure(
        result,
        e -> {
          assertThat(e)
              .hasMessageStartingWith(name + " got no answer within PT30S: ")
              .hasMessageContaining("127.0.0.1:35001")
              .hasMessageContaining("cannot connect");
          assertThat(e.isOutcomeUnknown()).isFalse();
        });
  }

  @ParameterizedTest
  @MethodSource("calls")
  void callThatTheTrackerRefusesFailsAtOnce(
      String name, Function<JobClient, Object> call, Request<?> request, Object answer) {
    CompletableFuture<Object> result = inBackground(() -> call.apply(client));
    awaitCalls(1);

    connector.session().last().fail(ErrorCode.FORBIDDEN, "planned");

    assertFailure(
        result,
        e -> {
          assertThat(e).hasMessageStartingWith(name + " failed: planned; connected to");
          assertThat(e.isOutcomeUnknown()).isFalse();
        });
  }

  @ParameterizedTest
  @MethodSource("calls")
  void closedClientFailsWhatIsOpenAndTakesNothingMore(
      String name, Function<JobClient, Object> call, Request<?> request, Object answer) {
    CompletableFuture<Object> result = inBackground(() -> call.apply(client));
    awaitCalls(1);

    client.close();

    assertFailure(
        result,
        e -> {
          assertThat(e).hasMessageStartingWith(name + " failed: ");
          assertThat(e.isOutcomeUnknown()).isTrue();
        });
    assertThatThrownBy(() -> call.apply(client))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the client is closed");
    assertThat(timer.pending()).isZero();
  }

  @Test
  void cancelOnAClosedClientIsRefusedToo() {
    client.close();

    assertThatThrownBy(() -> client.cancel("orders", "report"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void lostAnswerLeavesTheOutcomeUnknown() {
    CompletableFuture<Object> result = inBackground(() -> client.runNow("orders", "report"));
    awaitCalls(1);

    connector.session().last().fail(ErrorCode.UNAVAILABLE, "time-out");
    connector.down();
    awaitTimeout(result);

    assertFailure(result, e -> assertThat(e.isOutcomeUnknown()).isTrue());
  }

  @Test
  void refusalAfterALostAnswerLeavesTheOutcomeUnknown() {
    CompletableFuture<Object> result = inBackground(() -> client.runNow("orders", "report"));
    awaitCalls(1);
    connector.session().last().fail(ErrorCode.UNAVAILABLE, "time-out");
    timer.advance(Duration.ofSeconds(1));
    awaitCalls(2);

    connector.session().last().fail(ErrorCode.FORBIDDEN, "planned");

    assertFailure(result, e -> assertThat(e.isOutcomeUnknown()).isTrue());
  }

  @Test
  void interruptedCallIsNotSentAgain() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> client.runNow("orders", "report"))
        .isInstanceOfSatisfying(
            JobCallException.class,
            e -> {
              assertThat(e).hasMessageContaining("run now of orders/report").cause().isNotNull();
              assertThat(e.isOutcomeUnknown()).isTrue();
            });
    assertThat(Thread.interrupted()).isTrue();
    connector.session().last().fail(ErrorCode.UNAVAILABLE, "time-out");
    timer.advance(Duration.ofSeconds(20));
    assertThat(requests()).hasSize(1);
  }

  /** The answer without the handle, which the client adds. */
  private static Object plain(Object answer) {
    if (answer instanceof RunNowResult run) {
      assertThat(run.handle()).isNotNull();
      return new RunNowResult(run.status(), run.plannedFor(), run.ordinal(), run.message());
    }
    return answer;
  }

  @Test
  void everyRunNowAndEverySubmitHasAnIdOfItsOwn() throws Exception {
    client.submitAsync(Job.builder("orders", "report").cron("@daily").build());
    for (int i = 0; i < 2; i++) {
      CompletableFuture<Object> result = inBackground(() -> client.runNow("orders", "report"));
      awaitCalls(i + 2);
      connector.session().last().answer(STORED);
      assertThat(plain(result.get())).isEqualTo(STORED);
    }

    assertThat(requests().stream().map(JobCallsTest::submissionId))
        .hasSize(3)
        .doesNotHaveDuplicates()
        .allSatisfy(id -> assertThat(id).matches("[0-9a-f]{36}"));
  }

  @Test
  void parametersThatAreTooLargeAreRefusedUnsentInTheTrackersWords() {
    Map<String, String> large = Map.of("body", "x".repeat(ParamsLimit.MAX_BYTES));

    assertThat(client.runNow("orders", "report", large))
        .isEqualTo(new RunNowResult(ChangeStatus.REFUSED, null, 0, ParamsLimit.faultOf(large)));
    assertThat(connector.session().calls()).isEmpty();
  }

  @Test
  void reasonThatIsTooLongIsRefusedUnsent() {
    String emoji = "\ud83d\ude00";

    assertThat(client.pause("orders", "report", emoji.repeat(1_001)))
        .isEqualTo(
            new ChangeResult(
                ChangeStatus.REFUSED,
                0,
                "the reason has 1001 characters; at most 1000 are allowed"));
    assertThat(connector.session().calls()).isEmpty();
  }

  @Test
  void nullIsNamedAndNothingIsSent() {
    Map<String, String> noValue = new HashMap<>();
    noValue.put("day", null);

    assertNull(() -> client.pause(null, "report"), "nodeGroup");
    assertNull(() -> client.pause("orders", "report", null), "reason");
    assertNull(() -> client.resume("orders", null), "taskId");
    assertNull(() -> client.runNow("orders", "report", null), "params");
    assertNull(() -> client.runNow("orders", "report", noValue), "value of parameter 'day'");
    assertNull(() -> client.explain(null, "report"), "nodeGroup");
    assertThat(connector.session().calls()).isEmpty();
  }

  private static void assertNull(Supplier<Object> call, String name) {
    assertThatThrownBy(call::get).isInstanceOf(NullPointerException.class).hasMessage(name);
  }

  private static void assertFailure(
      CompletableFuture<Object> result, Consumer<JobCallException> asserts) {
    assertThatThrownBy(result::get).cause().isInstanceOfSatisfying(JobCallException.class, asserts);
  }

  private void awaitTimeout(CompletableFuture<Object> result) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              timer.advance(Duration.ofSeconds(1));
              return result.isDone();
            });
  }

  private void awaitCalls(int count) {
    await().until(() -> connector.session().calls().size() >= count);
  }

  private List<? extends Request<?>> requests() {
    return connector.session().calls().stream().map(FakeSession.Call::request).toList();
  }

  private static Request<?> withoutSubmissionId(Request<?> request) {
    return request instanceof RunNowRequest run
        ? new RunNowRequest("", run.nodeGroup(), run.taskId(), run.params())
        : request;
  }

  private static String submissionId(Request<?> request) {
    return request instanceof SubmitRequest submit
        ? submit.submissions().get(0).submissionId()
        : ((RunNowRequest) request).submissionId();
  }

  private static CompletableFuture<Object> inBackground(Supplier<Object> work) {
    return CompletableFuture.supplyAsync(work);
  }
}
