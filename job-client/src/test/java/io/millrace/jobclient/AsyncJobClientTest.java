package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.jobclient.fake.FakeConnector;
import io.millrace.jobclient.fake.FakeSession;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every call has its asynchronous form; those of whole batches are tried here. */
@Timeout(30)
class AsyncJobClientTest {
  /** Asks no tracker: makes, describes, listens to, waits for and closes the client itself. */
  private static final Set<String> NO_CALLS =
      Set.of(
          "builder",
          "async",
          "isConnected",
          "awaitConnected",
          "onResult",
          "onDelivered",
          "saved",
          "awaitDelivered",
          "close",
          "toString");

  /** Is an asynchronous form itself. */
  private static final String SUBMIT_ASYNC = "submitAsync";

  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final Deque<Runnable> listeners = new ArrayDeque<>();
  private final FakeConnector connector = new FakeConnector();
  private final JobClient client =
      JobClient.builder()
          .trackers("127.0.0.1:35001")
          .closeTimeout(Duration.ZERO)
          .resources(
              new ClientResources(
                  clock, timer, Runnable::run, listeners::add, connector, new Random(1)))
          .build();

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void everyCallHasItsAsynchronousFormAndNoOtherIsThere() {
    Set<String> calls =
        methods(JobClient.class)
            .filter(method -> !NO_CALLS.contains(method.getName()))
            .filter(method -> !method.getName().equals(SUBMIT_ASYNC))
            .map(call -> describe(call, CompletableFuture.class, resultOf(call)))
            .collect(Collectors.toSet());
    Set<String> asynchronous =
        methods(AsyncJobClient.class)
            .map(
                form ->
                    describe(form, form.getReturnType(), argumentOf(form.getGenericReturnType())))
            .collect(Collectors.toSet());

    assertThat(calls).hasSizeGreaterThan(15);
    assertThat(asynchronous).containsExactlyInAnyOrderElementsOf(calls);
  }

  @Test
  void whatIsNoCallIsThere() {
    assertThat(methods(JobClient.class).map(Method::getName)).containsAll(NO_CALLS);
  }

  private static Stream<Method> methods(Class<?> type) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic());
  }

  private static String describe(Method method, Class<?> returned, String result) {
    String parameters =
        Stream.of(method.getGenericParameterTypes())
            .map(Type::getTypeName)
            .collect(Collectors.joining(", "));
    return "%s<%s> %s(%s)"
        .formatted(returned.getSimpleName(), result, method.getName(), parameters);
  }

  private static String resultOf(Method call) {
    return call.getGenericReturnType().getTypeName();
  }

  /** What stands between the outer angle brackets of a type. */
  private static String argumentOf(Type type) {
    String name = type.getTypeName();
    return name.substring(name.indexOf('<') + 1, name.lastIndexOf('>'));
  }

  private static List<Job> jobs(int count) {
    return IntStream.range(0, count).mapToObj(i -> Job.builder("orders", "t" + i).build()).toList();
  }

  /** Answers each request, until none follows, and runs the code of the application. */
  private void answerAll() {
    for (int next = 0; next < connector.session().calls().size(); next++) {
      FakeSession.Call call = connector.session().calls().get(next);
      SubmitRequest request = (SubmitRequest) call.request();
      call.answer(
          new SubmitReply(
              request.submissions().stream().map(each -> judged(each.job().taskId())).toList()));
      runListeners();
    }
  }

  private static SubmitResult judged(String taskId) {
    return taskId.equals("t7")
        ? SubmitResult.rejected(taskId, RejectReason.BAD_CRON, "no such field")
        : SubmitResult.accepted(taskId);
  }

  private void runListeners() {
    for (Runnable next = listeners.poll(); next != null; next = listeners.poll()) {
      next.run();
    }
  }

  @Test
  void batchIsAnsweredWhenItsLastJobIsInTheOrderOfTheJobs() throws Exception {
    List<Job> jobs = jobs(1_500);
    CompletableFuture<List<SubmitResult>> results = client.async().trySubmitAll(jobs);
    assertThat(results).isNotDone();

    answerAll();

    assertThat(results.get())
        .extracting(SubmitResult::taskId)
        .containsExactlyElementsOf(jobs.stream().map(Job::taskId).toList());
    assertThat(results.get().get(7).status()).isEqualTo(SubmitStatus.REJECTED);
  }

  @Test
  void codeBehindABatchRunsWithTheListeners() {
    Deque<String> done = new ArrayDeque<>();
    CompletableFuture<Void> next =
        client.async().submitAll(jobs(3)).thenAccept(results -> done.add("told"));

    SubmitRequest request = (SubmitRequest) connector.session().last().request();
    assertThat(request.submissions()).isNotEmpty();
    answerWithoutListeners();
    assertThat(done).isEmpty();
    runListeners();
    answerAll();

    assertThat(done).containsExactly("told");
    assertThat(next).isCompleted();
  }

  private void answerWithoutListeners() {
    FakeSession.Call call = connector.session().last();
    SubmitRequest request = (SubmitRequest) call.request();
    call.answer(
        new SubmitReply(
            request.submissions().stream().map(each -> judged(each.job().taskId())).toList()));
  }

  @Test
  void rejectedJobOfABatchFailsItsFutureWithAllResults() {
    CompletableFuture<List<SubmitResult>> results = client.async().submitAll(jobs(10));

    answerAll();

    assertThatThrownBy(results::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            JobRejectedException.class, e -> assertThat(e.results()).hasSize(10))
        .hasMessageContaining("1 of 10 jobs were rejected; the first is number 8, t7");
  }

  @Test
  void batchWithoutAnAnswerTellsWhichJobsWereAnswered() {
    CompletableFuture<List<SubmitResult>> results = client.async().submitAll(jobs(65));
    answerWithoutListeners();
    runListeners();
    connector.session().last().fail(ErrorCode.FORBIDDEN, "planned");
    runListeners();

    assertThatThrownBy(results::get)
        .cause()
        .isInstanceOfSatisfying(JobSubmitException.class, e -> assertThat(e.settled()).hasSize(64))
        .hasMessageContaining("64 of 65 jobs were answered")
        .hasMessageContaining("planned");
  }

  @Test
  void batchOfNothingAsksNothing() throws Exception {
    assertThat(client.async().submitAll(List.of()).get()).isEmpty();
    assertThat(connector.session().calls()).isEmpty();
  }
}
