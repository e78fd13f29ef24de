package io.millrace.jobtracker.cluster;

import static io.millrace.jobtracker.fixture.TrackersByHand.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.ChangeStatus;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.JobFilter;
import io.millrace.api.JobHandle;
import io.millrace.api.JobPage;
import io.millrace.api.JobStatus;
import io.millrace.api.JobStatus.State;
import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.api.RunNowResult;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.api.TriggerResult;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.rpc.Session;
import io.millrace.jobclient.JobAwaitException;
import io.millrace.jobclient.JobCallException;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobClientException;
import io.millrace.jobclient.JobRejectedException;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.fixture.TrackersByHand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions of programs to two trackers, one of which serves the group. */
class JobStatusClusterTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofMinutes(10);

  private final TrackersByHand cluster =
      new TrackersByHand(ServiceConfig.DEFAULT, null, "a:1", "b:1");
  private final String owner = cluster.owner();
  private final JobClient atOwner = cluster.client(owner);
  private final JobClient atAnother = cluster.client(cluster.another());
  private Session worker = worker(owner);
  private long pulls;

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void everyTrackerTellsTheStatusOfAOneShotFromItsSubmitToItsEnd() {
    Instant due = cluster.time.now().plusSeconds(60);
    JobHandle handle = submit(Job.builder(GROUP, "close").at(due).build());
    for (JobClient client : List.of(atOwner, atAnother)) {
      JobStatus waiting = status(client, handle);
      assertThat(waiting.state()).isEqualTo(State.WAITING);
      assertThat(waiting.nextFireTimes()).containsExactly(due);
      assertThat(byKey(client, "close")).isEqualTo(waiting);
    }

    cluster.time.pass(Duration.ofSeconds(60));
    Assignment assigned = pull();
    for (JobClient client : List.of(atOwner, atAnother)) {
      JobStatus running = status(client, handle);
      assertThat(running.state()).isEqualTo(State.RUNNING);
      assertThat(running.executions())
          .singleElement()
          .satisfies(
              execution -> {
                assertThat(execution.id()).isEqualTo(assigned.executionId());
                assertThat(execution.worker()).isEqualTo("somebody");
                assertThat(execution.attempt()).isEqualTo(1);
              });
      assertThat(byKey(client, "close").state()).isEqualTo(State.RUNNING);
    }

    complete(assigned, Outcome.FAILED, "no such account");
    for (JobClient client : List.of(atOwner, atAnother)) {
      JobStatus ended = status(client, handle);
      assertThat(ended.hasEnded()).isTrue();
      assertThat(ended.lastEnd())
          .isEqualTo(
              new TriggerResult(
                  GROUP,
                  "close",
                  due,
                  0,
                  Disposition.FAILED,
                  1,
                  "no such account",
                  cluster.time.now()));
      assertThat(byKey(client, "close").state()).isEqualTo(State.NOT_KNOWN);
    }
  }

  @Test
  void endAtTheTrackerThatIsAskedIsToldAtOnce() {
    JobHandle handle = submit(job("now"));
    CompletableFuture<TriggerResult> end = await(atOwner, handle);
    Assignment assigned = pull();
    cluster.time.pass(Duration.ofSeconds(8));
    assertThat(end).isNotDone();
    Instant before = cluster.time.now();

    complete(assigned, Outcome.SUCCESS, null);

    assertThat(end).isCompleted();
    assertThat(end.join().disposition()).isEqualTo(Disposition.SUCCEEDED);
    assertThat(cluster.time.now()).isEqualTo(before);
  }

  @Test
  void endAtAnotherTrackerIsFoundSoon() {
    JobHandle handle = submit(job("now"));
    CompletableFuture<TriggerResult> end = await(atAnother, handle);
    Assignment assigned = pull();
    cluster.time.pass(Duration.ofSeconds(8));

    complete(assigned, Outcome.SUCCESS, null);
    assertThat(end).isNotDone();
    cluster.time.pass(Duration.ofSeconds(2));

    assertThat(end).isCompleted();
  }

  @Test
  void retriedJobIsAwaitedToTheEndOfItsLastAttempt() {
    RetryPolicy retry = RetryPolicy.retries(1);
    JobHandle handle = submit(Job.builder(GROUP, "retried").retry(retry).build());
    List<CompletableFuture<TriggerResult>> ends =
        List.of(await(atOwner, handle), await(atAnother, handle));
    complete(pull(), Outcome.EXCEPTION, "boom");
    cluster.time.pass(Duration.ofSeconds(10));
    assertThat(ends).allMatch(end -> !end.isDone());
    assertThat(status(atAnother, handle).state()).isEqualTo(State.WAITING);

    cluster.time.pass(LONG.dividedBy(2));
    complete(pull(), Outcome.SUCCESS, null);
    cluster.time.pass(Duration.ofSeconds(2));

    assertThat(ends).allMatch(CompletableFuture::isDone);
    assertThat(ends.get(0).join().attempt()).isEqualTo(2);
    assertThat(ends.get(1).join()).isEqualTo(ends.get(0).join());
  }

  @Test
  void jobIsAwaitedOverATakeOverOfItsTracker() {
    JobHandle handle = submit(job("long"));
    CompletableFuture<TriggerResult> end = await(atOwner, handle);
    Assignment assigned = pull();

    cluster.stop(owner);
    cluster.time.pass(Duration.ofSeconds(5));
    worker = worker(cluster.owner());
    assertThat(cluster.owner()).isNotEqualTo(owner);
    assertThat(end).isNotDone();
    complete(assigned, Outcome.SUCCESS, null);
    cluster.time.pass(Duration.ofSeconds(10));

    assertThat(end).isCompleted();
  }

  @Test
  void endBeforeTheQuestionIsToldAtOnce() {
    JobHandle handle = submit(job("now"));
    complete(pull(), Outcome.SUCCESS, null);

    assertThat(await(atOwner, handle)).isCompleted();
    assertThat(await(atAnother, handle)).isCompleted();
  }

  @Test
  void cancelAndReplacementAreEnds() {
    JobHandle cancelled = submit(Job.builder(GROUP, "a").after(LONG).build());
    JobHandle replaced = submit(Job.builder(GROUP, "b").after(LONG).build());
    CompletableFuture<TriggerResult> first = await(atOwner, cancelled);
    CompletableFuture<TriggerResult> second = await(atOwner, replaced);

    assertThat(answer(atOwner.async().cancel(GROUP, "a")).found()).isTrue();
    JobHandle next = submit(Job.builder(GROUP, "b").after(LONG).replaceExisting(true).build());

    assertThat(first.join().disposition()).isEqualTo(Disposition.CANCELLED);
    assertThat(second.join().disposition()).isEqualTo(Disposition.CANCELLED);
    assertThat(status(atOwner, next).state()).isEqualTo(State.WAITING);
    assertThat(status(atOwner, replaced).state()).isEqualTo(State.ENDED);
  }

  @Test
  void endThatWasPurgedIsNotKnownAnyMore() {
    JobHandle handle = submit(job("old"));
    complete(pull(), Outcome.SUCCESS, null);
    List<LedgerEntry> rows = cluster.database.stores().ledger().readAfter(0, 10);
    int purged =
        cluster.database.stores().ledger().delete(rows.stream().map(LedgerEntry::id).toList());
    assertThat(purged).isEqualTo(1);

    assertThat(status(atOwner, handle).state()).isEqualTo(State.NOT_KNOWN);
    assertNotKnown(handle);
  }

  @Test
  void submitThatNeverWasIsNotKnownAndNeitherIsAnotherNodeGroup() {
    JobHandle known = submit(Job.builder(GROUP, "close").after(LONG).build());
    List<JobHandle> strange =
        List.of(
            new JobHandle(GROUP, "close", "never sent"),
            new JobHandle(GROUP, "open", known.submissionId()),
            new JobHandle("shipping", "close", known.submissionId()));

    for (JobHandle handle : strange) {
      assertThat(status(atOwner, handle).isKnown()).isFalse();
      assertNotKnown(handle);
    }
    assertThat(status(atOwner, known).isKnown()).isTrue();
  }

  private void assertNotKnown(JobHandle handle) {
    CompletableFuture<TriggerResult> end = await(atOwner, handle);
    cluster.time.pass(Duration.ofSeconds(2));
    JobAwaitException failure = failureOf(end, JobAwaitException.class);
    assertThat(failure.isTimeout()).isFalse();
    assertThat(failure.status()).extracting(JobStatus::state).isEqualTo(State.NOT_KNOWN);
    assertThat(failure).hasMessageContaining(handle.toString());
  }

  @Test
  void awaitEndsAtItsDeadlineAndTheJobGoesOn() {
    JobHandle handle = submit(job("slow"));
    CompletableFuture<TriggerResult> end = atOwner.async().await(handle, Duration.ofMillis(12_345));
    Assignment assigned = pull();
    cluster.time.pass(Duration.ofMillis(12_344));
    assertThat(end).isNotDone();

    cluster.time.pass(Duration.ofMillis(1));
    JobAwaitException failure = failureOf(end, JobAwaitException.class);
    assertThat(failure.isTimeout()).isTrue();
    assertThat(failure).hasMessageContaining("PT12.345S");

    complete(assigned, Outcome.SUCCESS, null);
    assertThat(await(atOwner, handle)).isCompleted();
  }

  @Test
  void deadlineHoldsWhileNoTrackerAnswers() {
    JobHandle handle = submit(job("slow"));
    CompletableFuture<TriggerResult> end = atOwner.async().await(handle, Duration.ofMinutes(2));
    cluster.stopAll();

    cluster.time.pass(Duration.ofMinutes(2));

    assertThat(failureOf(end, JobAwaitException.class).isTimeout()).isTrue();
  }

  @Test
  void closedClientFailsWhatItAwaits() {
    JobHandle handle = submit(job("slow"));
    CompletableFuture<TriggerResult> end = await(atOwner, handle);

    atOwner.close();
    cluster.time.run();

    assertThat(failureOf(end, JobCallException.class)).hasMessageContaining("closed");
  }

  @Test
  void duplicateNamesTheLiveJobWhichCanBeAwaited() {
    JobHandle handle = submit(job("close"));
    cluster.time.pass(Duration.ofMillis(1));
    SubmitResult again = answer(atAnother.async().submit(job("close")));
    assertThat(again.status()).isEqualTo(SubmitStatus.DUPLICATE);
    assertThat(again.handle()).isEqualTo(handle);
    CompletableFuture<TriggerResult> end = atOwner.async().await(again, LONG);

    complete(pull(), Outcome.SUCCESS, null);

    assertThat(end).isCompleted();
  }

  @Test
  void taskIdThatIsUsedAgainHasTwoStatuses() {
    JobHandle first = submit(job("close"));
    complete(pull(), Outcome.SUCCESS, null);
    JobHandle second = submit(Job.builder(GROUP, "close").after(LONG).build());

    assertThat(status(atAnother, first).state()).isEqualTo(State.ENDED);
    assertThat(status(atAnother, second).state()).isEqualTo(State.WAITING);
    assertThat(byKey(atAnother, "close").submissionId()).isEqualTo(second.submissionId());
  }

  @Test
  void runNowOfARecurringJobIsAwaitedAndTheJobItselfIsNot() {
    JobHandle job = submit(Job.builder(GROUP, "report").every(Duration.ofHours(1)).build());
    complete(pull(), Outcome.SUCCESS, "first");
    RunNowResult run = answer(atOwner.async().runNow(GROUP, "report"));
    JobHandle handle = Objects.requireNonNull(run.handle());
    assertThat(status(atAnother, handle).state()).isEqualTo(State.WAITING);
    CompletableFuture<TriggerResult> end = await(atAnother, handle);
    Assignment assigned = pull();
    assertThat(status(atAnother, handle).state()).isEqualTo(State.RUNNING);
    complete(assigned, Outcome.SUCCESS, "extra");
    cluster.time.pass(Duration.ofSeconds(2));

    assertThat(end.join().message()).isEqualTo("extra");
    assertThat(status(atOwner, handle).state()).isEqualTo(State.ENDED);
    JobAwaitException failure = failureOf(await(atOwner, job), JobAwaitException.class);
    assertThat(failure.status()).extracting(JobStatus::state).isEqualTo(State.ACTIVE);
  }

  @Test
  void recurringJobTellsItsStateNextFireTimesAndLastEnd() {
    JobHandle handle = submit(Job.builder(GROUP, "poll").every(Duration.ofMinutes(5)).build());
    Instant start = cluster.time.now();
    complete(pull(), Outcome.SUCCESS, "polled");
    JobStatus active = byKey(atAnother, "poll");
    assertThat(active.state()).isEqualTo(State.ACTIVE);
    assertThat(active.submissionId()).isEqualTo(handle.submissionId());
    assertThat(active.nextFireTimes())
        .hasSize(JobStatus.MAX_FIRE_TIMES)
        .startsWith(start.plus(Duration.ofMinutes(5)), start.plus(Duration.ofMinutes(10)));
    assertThat(active.lastEnd()).extracting(TriggerResult::message).isEqualTo("polled");
    assertThat(status(atAnother, handle)).isEqualTo(active);

    assertThat(answer(atOwner.async().pause(GROUP, "poll")).status())
        .isEqualTo(ChangeStatus.CHANGED);
    JobStatus paused = byKey(atAnother, "poll");
    assertThat(paused.state()).isEqualTo(State.PAUSED);
    assertThat(paused.nextFireTimes()).isEmpty();

    assertThat(answer(atOwner.async().cancel(GROUP, "poll")).found()).isTrue();
    assertThat(byKey(atAnother, "poll").state()).isEqualTo(State.CANCELLED);
  }

  @Test
  void formerVersionOfARecurringJobHasTheStatusOfTheJob() {
    JobHandle first = submit(Job.builder(GROUP, "poll").every(LONG).build());
    JobHandle second =
        submit(Job.builder(GROUP, "poll").every(LONG.dividedBy(2)).replaceExisting(true).build());

    assertThat(status(atOwner, first).submissionId()).isEqualTo(second.submissionId());
  }

  @Test
  void manyAwaitedJobsAreToldOf() {
    int jobs = 1_500;
    List<JobHandle> handles =
        IntStream.range(0, jobs).mapToObj(i -> submit(job("job-" + i))).toList();
    List<CompletableFuture<TriggerResult>> ends =
        handles.stream().map(handle -> await(atAnother, handle)).toList();
    for (List<Assignment> some = pullAll(); !some.isEmpty(); some = pullAll()) {
      some.forEach(assigned -> complete(assigned, Outcome.SUCCESS, null));
    }
    cluster.time.pass(Duration.ofMinutes(1));

    assertThat(ends).allMatch(CompletableFuture::isDone);
  }

  @Test
  void pagesListEveryLiveJobOnce() {
    List<String> expected = new ArrayList<>();
    for (int i = 10; i < 35; i++) {
      submit(Job.builder(GROUP, "poll-" + i).every(LONG).handler("h" + i % 2).build());
      submit(Job.builder(GROUP, "one-" + i).after(LONG).handler("h" + i % 2).build());
      expected.addAll(List.of("poll-" + i, "one-" + i));
    }
    JobHandle unused = submit(job("running"));
    Assignment running = pullOf("running");

    List<JobPage.Item> all = listAll(JobFilter.of(GROUP).pageSize(7));
    assertThat(all)
        .extracting(JobPage.Item::taskId)
        .contains("running")
        .containsAll(expected)
        .hasSize(expected.size() + 1);
    assertThat(all)
        .filteredOn(item -> item.state() == State.RUNNING)
        .singleElement()
        .satisfies(
            item ->
                assertThat(Objects.requireNonNull(item.execution()).id())
                    .isEqualTo(running.executionId()));
    assertThat(listAll(JobFilter.of(GROUP).state(State.WAITING)))
        .hasSize(25)
        .allMatch(item -> item.dueAt() != null && item.schedule() == null);
    assertThat(listAll(JobFilter.of(GROUP).taskIdPrefix("poll-2").handler("h1").pageSize(1)))
        .extracting(JobPage.Item::taskId)
        .containsExactly("poll-21", "poll-23", "poll-25", "poll-27", "poll-29");
    assertThat(listAll(JobFilter.of(GROUP).state(State.PAUSED))).isEmpty();
    assertThat(listAll(JobFilter.of("no-such-group"))).isEmpty();
  }

  @Test
  void badFilterIsRefusedByName() {
    for (JobFilter bad :
        List.of(
            JobFilter.of(GROUP).pageSize(0),
            JobFilter.of(GROUP).pageSize(1_001),
            JobFilter.of(GROUP).state(State.ENDED),
            JobFilter.of(GROUP).after("nowhere"))) {
      CompletableFuture<JobPage> page = atOwner.async().list(bad);
      cluster.time.run();
      assertThat(failureOf(page, JobCallException.class).getMessage())
          .containsAnyOf("page size", "ENDED", "nowhere");
    }
  }

  @Test
  void rejectedSubmitCannotBeOverlooked() {
    Job bad = Job.builder(GROUP, "bad").cron("nonsense").build();

    assertThat(answer(atOwner.async().trySubmit(bad)).status()).isEqualTo(SubmitStatus.REJECTED);
    CompletableFuture<SubmitResult> rejected = atOwner.async().submit(bad);
    cluster.time.run();
    assertThat(failureOf(rejected, JobRejectedException.class))
        .hasMessageContaining("orders/bad is rejected: BAD_CRON");
  }

  private static Job job(String taskId) {
    return Job.builder(GROUP, taskId).build();
  }

  private JobHandle submit(Job job) {
    return Objects.requireNonNull(answer(atOwner.async().submit(job)).handle());
  }

  private CompletableFuture<TriggerResult> await(JobClient client, JobHandle handle) {
    CompletableFuture<TriggerResult> end = client.async().await(handle, LONG);
    cluster.time.run();
    return end;
  }

  private JobStatus status(JobClient client, JobHandle handle) {
    return answer(client.async().status(handle));
  }

  private JobStatus byKey(JobClient client, String taskId) {
    return answer(client.async().status(GROUP, taskId));
  }

  private List<JobPage.Item> listAll(JobFilter filter) {
    List<JobPage.Item> all = new ArrayList<>();
    JobPage page = answer(atAnother.async().list(filter));
    all.addAll(page.jobs());
    while (page.next() != null) {
      page = answer(atAnother.async().list(filter.after(page.next())));
      assertThat(page.jobs()).hasSizeLessThanOrEqualTo(filter.pageSize());
      all.addAll(page.jobs());
    }
    return all;
  }

  private <R> R answer(CompletableFuture<R> answer) {
    cluster.time.run();
    assertThat(answer).isCompleted();
    return answer.join();
  }

  private static <E extends JobClientException> E failureOf(
      CompletableFuture<?> future, Class<E> type) {
    assertThat(future).isCompletedExceptionally();
    return type.cast(future.handle((unused, failure) -> failure).join());
  }

  private Session worker(String address) {
    return cluster.connect(NodeRole.WORKER, null, address).join();
  }

  /** What one slot is given within a second. */
  private Assignment pull() {
    return pullOf(null);
  }

  private Assignment pullOf(@Nullable String taskId) {
    for (int i = 0; i < 100; i++) {
      for (Assignment assigned : pullAll(1)) {
        if (taskId == null || assigned.taskId().equals(taskId)) {
          return assigned;
        }
        complete(assigned, Outcome.SUCCESS, null);
      }
    }
    throw new AssertionError("nothing was assigned");
  }

  private List<Assignment> pullAll() {
    return pullAll(100);
  }

  private List<Assignment> pullAll(int slots) {
    CompletableFuture<PullReply> reply =
        worker.call(new PullRequest(++pulls, slots, List.of(), List.of()), TIMEOUT);
    cluster.time.run();
    if (!reply.isDone()) {
      cluster.time.pass(Duration.ofSeconds(1));
    }
    return reply.join().assignments();
  }

  private void complete(Assignment assigned, Outcome outcome, @Nullable String message) {
    ExecutionResult result =
        new ExecutionResult(
            assigned.executionId(),
            outcome,
            message,
            null,
            List.of(),
            cluster.time.now(),
            cluster.time.now());
    CompletableFuture<CompleteReply> reply =
        worker.call(new CompleteRequest(List.of(result)), TIMEOUT);
    cluster.time.run();
    assertThat(reply.join().answers()).containsExactly(CompletionStatus.ACCEPTED);
  }
}
