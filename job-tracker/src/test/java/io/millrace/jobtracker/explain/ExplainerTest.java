package io.millrace.jobtracker.explain;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.ExplainRequest;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.snapshot.GroupView;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.Interruptions;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.batch.RunStore;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExplainerTest extends ServiceTest {
  private static final RetryPolicy STEADY =
      new RetryPolicy(3, Duration.ofSeconds(4), Duration.ofSeconds(4), 1, 0, List.of());

  private final Set<String> connected = new TreeSet<>();
  private boolean serving = true;

  private Optional<GroupView> view(String nodeGroup) {
    return serving && nodeGroup.equals(HandDrivenTracker.GROUP)
        ? Optional.of(
            new GroupView(
                connected,
                tracker.desk().freeSlots(),
                tracker.group().head().isBlind(),
                false,
                Set.of()))
        : Optional.empty();
  }

  private HandDrivenWorker connect(String nodeId) {
    connected.add(nodeId);
    return tracker.worker(nodeId);
  }

  private Explainer explainer(Stores of) {
    Timing timing =
        new Timing(
            ZoneOffset.UTC,
            Duration.ofSeconds(60),
            HandDrivenTracker.WORKER_LEASE,
            Duration.ofSeconds(10),
            null,
            HandDrivenTracker.TIMEOUT_GRACE);
    return new Explainer(of, time.timedExecutor(), timing, this::view);
  }

  private CompletableFuture<Explanation> ask(Stores of, String nodeGroup, String taskId) {
    CompletableFuture<Explanation> answer =
        explainer(of).explain(new ExplainRequest(nodeGroup, taskId));
    time.run();
    return answer;
  }

  private Explanation explain(String taskId) {
    return ask(stores, HandDrivenTracker.GROUP, taskId).join();
  }

  private List<String> texts(String taskId, FactKind kind) {
    return explain(taskId).facts().stream()
        .filter(fact -> fact.kind() == kind)
        .map(Fact::text)
        .toList();
  }

  private List<FactKind> kinds(String taskId) {
    return explain(taskId).facts().stream().map(Fact::kind).toList();
  }

  @Test
  void oneShotThatWaits() {
    tracker.submit(job("close").at(inMillis(60_000)).build());

    Explanation explanation = explain("close");
    assertThat(explanation.isFound()).isTrue();
    assertThat(explanation.nodeGroup()).isEqualTo("orders");
    assertThat(explanation.taskId()).isEqualTo("close");
    assertThat(explanation.asOf()).isEqualTo(time.now());
    assertThat(explanation.similarTaskIds()).isEmpty();
    assertThat(texts("close", FactKind.WAITING))
        .containsExactly("It waits until 2026-03-02T10:01:00Z (in 1 min).");
  }

  @Test
  void dueWithoutAWorker() {
    tracker.submit(job("close").build());
    time.pass(Duration.ofSeconds(3));

    assertThat(texts("close", FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T10:00:00Z (3 s), but no worker of node group orders is"
                + " connected.");
  }

  @Test
  void dueWhileEveryWorkerIsBusy() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("first").build(), job("second").build(), job("third").build());
    worker.takeOne();
    worker.beat();

    List<String> due =
        List.of("first", "second", "third").stream()
            .flatMap(taskId -> texts(taskId, FactKind.DUE).stream())
            .toList();
    assertThat(due)
        .hasSize(2)
        .allSatisfy(
            text ->
                assertThat(text)
                    .endsWith(
                        ", but of the 1 worker connected none has a free slot; 2 triggers of"
                            + " the node group are due, and lower priority numbers run first."));
  }

  @Test
  void dueAndAboutToBeHandedOut() {
    HandDrivenWorker worker = connect("worker-1");
    worker.pull(2);
    tracker.submit(job("close").build());

    assertThat(texts("close", FactKind.DUE).get(0))
        .endsWith(
            " and will be claimed shortly: the 1 worker connected wait for work with 2 free"
                + " slots.");
  }

  @Test
  void dueAndServedByAnotherTracker() {
    tracker.submit(job("close").build());
    long now = time.millis();
    stores.trackers().acquire("other", "10.0.0.4:35001", now, now + 1_000);
    stores.trackers().acquire("owner", "10.0.0.5:35001", now, now + 1_000);
    serving = false;

    assertThat(texts("close", FactKind.DUE).get(0))
        .contains("is served by tracker 1 at 10.0.0.5:35001, and only that tracker knows");
    time.pass(Duration.ofSeconds(2));
    assertThat(texts("close", FactKind.DUE).get(0))
        .contains(", but no tracker serves node group orders now;");
  }

  @Test
  void oneShotThatRunsAndIsCancelledMeanwhile() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").build());
    Assignment taken = worker.takeOne();
    time.pass(Duration.ofSeconds(2));

    assertThat(kinds("close")).containsExactly(FactKind.STATE, FactKind.RUNNING);
    assertThat(texts("close", FactKind.RUNNING).get(0))
        .startsWith("It runs on worker worker-1, which claimed it at ")
        .endsWith(": attempt 1 of 4, execution " + taken.executionId() + ".");

    tracker.cancel("close");
    connected.clear();
    assertThat(texts("close", FactKind.RUNNING).get(0))
        .contains("It was asked to stop")
        .contains("That worker is not connected");
  }

  @Test
  void oneShotThatFailedWaitsForItsRetry() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").retry(STEADY).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    assertThat(texts("close", FactKind.RETRY).get(0))
        .startsWith("It continues with retry 1 of 3, and waits until ")
        .contains(" (in 4 s): attempt 1 threw at ")
        .endsWith(" on worker worker-1: EXCEPTION of worker-1");

    time.pass(Duration.ofSeconds(5));
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    assertThat(texts("close", FactKind.RETRY).get(0))
        .startsWith("It continues with retry 2 of 3, ")
        .contains("attempt 2 threw");
    assertThat(texts("close", FactKind.ENDED)).hasSize(2);
  }

  @Test
  void stepsAreToldWhileItRunsWaitsForItsRetryAndIsDead() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").retry(RetryPolicy.retries(1)).build());
    Assignment first = worker.takeOne();
    KeepRequest charge =
        new KeepRequest(first.executionId(), 1, KeptKind.STEP, "charge", "\"paid\"");
    assertThat(stores.kept().write("worker-1", charge, time.millis())).isEqualTo(KeepStatus.KEPT);
    assertThat(texts("close", FactKind.RUNNING).get(0)).contains("1 step is done: \"charge\", ");

    worker.report(first, Outcome.EXCEPTION);
    assertThat(texts("close", FactKind.RETRY))
        .hasSize(2)
        .last()
        .asString()
        .startsWith("1 step is done: \"charge\", at 2026-03-02T10:00:00Z");

    time.pass(Duration.ofSeconds(5));
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    assertThat(texts("close", FactKind.ENDED).get(0)).contains("1 step is done: \"charge\", ");
  }

  @Test
  void oneShotThatAskedToRunLater() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").build());
    worker.later(worker.takeOne(), Duration.ofMinutes(5));

    assertThat(texts("close", FactKind.WAITING).get(0))
        .startsWith("It was postponed by the job itself at ")
        .contains(" (in 5 min): the attempt does not count");
  }

  @Test
  void oneShotThatHasEndedIsFoundInTheLedger() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    time.pass(Duration.ofSeconds(5));
    worker.succeed(worker.takeOne());
    tracker.submit(job("other").build());
    worker.succeed(worker.takeOne());

    assertThat(kinds("close"))
        .containsExactly(FactKind.STATE, FactKind.NO_NEXT_FIRE, FactKind.ENDED, FactKind.ENDED);
    assertThat(texts("close", FactKind.ENDED).get(0))
        .startsWith("It succeeded at ")
        .contains("on worker worker-1, attempt 2;")
        .endsWith(" Message: SUCCESS of worker-1");
  }

  @Test
  void whatAnExecutionReturnedIsTold() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").build());
    long id = worker.takeOne().executionId();
    worker.report(
        new ExecutionResult(
            id, Outcome.SUCCESS, null, null, List.of(), time.now(), time.now(), "[42]", false));

    assertThat(texts("close", FactKind.ENDED))
        .singleElement()
        .asString()
        .endsWith(" It returned 4 bytes, which millrace result " + id + " prints.");
  }

  @Test
  void ofAnEndedJobAndALaterOneShotOfItsTaskIdTheLaterIsTold() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").every(Duration.ofMinutes(1)).build());
    worker.succeed(worker.takeOne());
    tracker.cancel("close");
    assertThat(texts("close", FactKind.NO_NEXT_FIRE))
        .containsExactly("No further run: the job was cancelled or replaced.");
    time.pass(Duration.ofSeconds(1));
    tracker.submit(job("close").build());
    assertThat(texts("close", FactKind.STATE).get(0)).startsWith("One-shot job, accepted at ");
    worker.succeed(worker.takeOne());

    assertThat(texts("close", FactKind.STATE).get(0)).endsWith("; it has ended.");
  }

  @Test
  void recurringJobTellsWhatComesAndWhatWas() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("poll").every(Duration.ofSeconds(30)).build());
    worker.succeed(worker.takeOne());

    assertThat(kinds("poll"))
        .containsExactly(
            FactKind.STATE,
            FactKind.SCHEDULE,
            FactKind.NEXT_FIRE,
            FactKind.NEXT_FIRE,
            FactKind.NEXT_FIRE,
            FactKind.ENDED);
    assertThat(texts("poll", FactKind.NEXT_FIRE).get(0))
        .isEqualTo("Fires next at 2026-03-02T10:00:30Z (in 30 s).");
  }

  @Test
  void jobThatFiresEverySecondIsInOrderWhileItIsServed() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("poll").cron("* * * * * ?").build());
    for (int second = 0; second < 20; second++) {
      time.pass(Duration.ofSeconds(1));
      worker.take(5).forEach(worker::succeed);
    }

    assertThat(kinds("poll")).doesNotContain(FactKind.DEFECT, FactKind.DUE);
    assertThat(texts("poll", FactKind.ENDED)).hasSize(10);
  }

  @Test
  void pausedJobAndWhatThePauseSkipped() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("poll").every(Duration.ofSeconds(30)).build());
    worker.succeed(worker.takeOne());
    tracker.pause("poll", "database upgrade");
    time.pass(Duration.ofSeconds(100));

    assertThat(texts("poll", FactKind.PAUSED).get(0))
        .startsWith("Paused by shop/client-1 since ")
        .contains(": database upgrade. Its schedule does not fire until it is resumed.");
    assertThat(kinds("poll")).doesNotContain(FactKind.DEFECT, FactKind.NEXT_FIRE);

    tracker.resume("poll");
    assertThat(kinds("poll")).doesNotContain(FactKind.DEFECT, FactKind.PAUSED);
    assertThat(texts("poll", FactKind.SKIPPED).get(0))
        .startsWith("3 fire times from 2026-03-02T10:00:30Z to 2026-03-02T10:01:30Z were skipped,")
        .endsWith(": paused by shop/client-1.");
  }

  @Test
  void extraRunOfAPausedJobIsTold() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());
    worker.succeed(worker.takeOne());
    tracker.pause("poll");
    time.pass(Duration.ofSeconds(1));
    String askedAt = time.now().toString();
    tracker.runNow("poll");

    assertThat(kinds("poll"))
        .containsExactly(
            FactKind.STATE, FactKind.PAUSED, FactKind.SCHEDULE, FactKind.DUE, FactKind.ENDED);
    assertThat(texts("poll", FactKind.DUE).get(0))
        .startsWith("Extra run 1 of " + askedAt + " is due since " + askedAt);
    worker.succeed(worker.takeOne());
    assertThat(texts("poll", FactKind.ENDED).get(0))
        .startsWith("Extra run 1 of " + askedAt + " succeeded at ");
  }

  @Test
  void triggerThatWouldOverlapIsSkippedAndSaysWhy() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("poll").every(Duration.ofSeconds(30)).overlap(OverlapPolicy.skip()).build());
    worker.takeOne();
    time.pass(Duration.ofSeconds(31));
    worker.take(1);

    assertThat(texts("poll", FactKind.RUNNING)).hasSize(1);
    assertThat(texts("poll", FactKind.SKIPPED).get(0))
        .startsWith("The run of 2026-03-02T10:00:30Z was skipped, recorded at ")
        .endsWith(": the run before it was under way.");
    assertThat(kinds("poll")).doesNotContain(FactKind.DEFECT);
  }

  @Test
  void triggersThatWaitForTheirTurnTellTheirPlace() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(
        job("poll").every(Duration.ofSeconds(30)).overlap(OverlapPolicy.queue(5)).build());
    Assignment running = worker.takeOne();
    for (int i = 0; i < 2; i++) {
      time.pass(Duration.ofSeconds(30));
      worker.take(1);
    }

    assertThat(texts("poll", FactKind.HELD)).hasSize(2);
    assertThat(texts("poll", FactKind.HELD).get(1))
        .startsWith("The run of 2026-03-02T10:01:00Z is held, in position 2 of 2: ")
        .contains("is running as execution " + running.executionId() + " on worker worker-1");
    assertThat(kinds("poll")).doesNotContain(FactKind.DEFECT);
  }

  @Test
  void chainedJobTellsItsOneTriggerAndMissesNothing() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("poll").fixedDelay(Duration.ofSeconds(30)).build());
    Assignment running = worker.takeOne();
    assertThat(kinds("poll")).contains(FactKind.RUNNING).doesNotContain(FactKind.DEFECT);
    worker.succeed(running);

    assertThat(texts("poll", FactKind.NEXT_FIRE)).hasSize(1);
    assertThat(kinds("poll")).doesNotContain(FactKind.DEFECT);
  }

  @Test
  void triggerThatIsGoneIsADefect() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("poll").every(Duration.ofSeconds(30)).build());
    WaitingTrigger lost = waiting("poll").get(1);
    assertThat(stores.waiting().delete(HandDrivenTracker.GROUP, List.of(lost.id()))).isEqualTo(1);
    worker.succeed(worker.takeOne());
    time.pass(Duration.ofSeconds(40));

    assertThat(texts("poll", FactKind.DEFECT))
        .containsExactly(
            "The trigger of 2026-03-02T10:00:30Z is neither waiting nor running, and has not"
                + " ended.");
  }

  @Test
  void triggerThatMovesWhileItIsLookedForIsFoundByLookingAgain() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").retry(STEADY).build());
    Assignment taken = worker.takeOne();
    Stores moving =
        Interruptions.after(
            stores,
            WaitingStore.class,
            "findByTask",
            () -> worker.report(taken, Outcome.EXCEPTION));

    Explanation explanation = ask(moving, HandDrivenTracker.GROUP, "close").join();

    assertThat(explanation.facts().stream().map(Fact::kind))
        .containsExactly(FactKind.STATE, FactKind.RETRY, FactKind.ENDED);
  }

  @Test
  void triggerThatIsDrawnWhileItIsLookedForIsSeen() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").build());
    Stores moving =
        Interruptions.after(stores, JobStore.class, "findByTasks", () -> worker.takeOne());

    Explanation explanation = ask(moving, HandDrivenTracker.GROUP, "close").join();

    assertThat(explanation.facts().stream().map(Fact::kind))
        .containsExactly(FactKind.STATE, FactKind.RUNNING);
  }

  @Test
  void triggerThatEndsWhileItIsLookedForIsSeen() {
    HandDrivenWorker worker = connect("worker-1");
    tracker.submit(job("close").build());
    Assignment taken = worker.takeOne();
    Stores moving =
        Interruptions.after(stores, WaitingStore.class, "findByTask", () -> worker.succeed(taken));

    Explanation explanation = ask(moving, HandDrivenTracker.GROUP, "close").join();

    assertThat(explanation.facts().stream().map(Fact::kind))
        .containsExactly(FactKind.STATE, FactKind.NO_NEXT_FIRE, FactKind.ENDED);
  }

  @Test
  void generationThatIsLateIsADefect() {
    tracker.submit(job("poll").every(Duration.ofMinutes(5)).build());
    JobDefinition job = definition("poll");
    time.pass(Duration.ofMillis(job.generateAt() - time.millis() + 90_000));

    assertThat(texts("poll", FactKind.DEFECT).get(0))
        .startsWith("Its next triggers should have been generated at ")
        .contains(", 1 min 30 s ago; ")
        .endsWith(" This tracker serves the node group and is late; see its log.");
  }

  @Test
  void unknownTaskIdTellsTheNearestOnes() {
    tracker.submit(
        job("report-daily").every(Duration.ofDays(1)).build(),
        job("report-weekly").every(Duration.ofDays(7)).build(),
        job("report-dayly").at(inMillis(60_000)).build(),
        job("cleanup").build());

    Explanation explanation = explain("reprot-daily");

    assertThat(explanation.isFound()).isFalse();
    assertThat(explanation.similarTaskIds()).containsExactly("report-daily", "report-dayly");
    assertThat(explanation.facts().stream().map(Fact::text))
        .containsExactly(
            "No job 'reprot-daily' of node group orders is waiting or running, and the ledger"
                + " has none.");
  }

  @Test
  void unknownTaskIdTellsOfOtherNodeGroupsThatHaveIt() {
    tracker.submit(
        Job.builder("bills", "poll").every(Duration.ofMinutes(1)).build(),
        Job.builder("mails", "poll").at(inMillis(60_000)).build(),
        Job.builder("mails", "other").at(inMillis(60_000)).build());

    assertThat(texts("poll", FactKind.NOT_FOUND))
        .hasSize(2)
        .contains("A live job of this task id exists in another node group: bills, mails.");
    assertThat(texts("other", FactKind.NOT_FOUND).get(1)).endsWith(": mails.");
    assertThat(texts("none", FactKind.NOT_FOUND)).hasSize(1);
  }

  @Test
  void unknownNodeGroupTellsThoseThereAre() {
    Explanation explanation = ask(stores, "order", "poll").join();

    assertThat(explanation.isFound()).isFalse();
    assertThat(explanation.facts().get(0).text())
        .startsWith("There is no node group 'order': ")
        .endsWith(" Node groups: orders.");
  }

  @Test
  void taskIdThatNoJobCanHaveIsABadRequest() {
    for (String taskId : List.of("", "x".repeat(129))) {
      assertThatThrownBy(() -> ask(stores, HandDrivenTracker.GROUP, taskId).join())
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              RpcException.class,
              failure -> assertThat(failure.code()).isEqualTo(ErrorCode.BAD_REQUEST))
          .hasMessage("a task id must have 1 to 128 characters");
    }
  }

  @Test
  void fewAreExplainedAtOnceAndTheOthersAreToTryAgain() {
    Explainer explainer = explainer(stores);
    ExplainRequest request = new ExplainRequest(HandDrivenTracker.GROUP, "close");
    List<CompletableFuture<Explanation>> answers =
        Stream.generate(() -> explainer.explain(request)).limit(4).toList();

    assertThatThrownBy(() -> explainer.explain(request).join())
        .cause()
        .isInstanceOfSatisfying(
            RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    time.refuseTasks(true);
    time.run();
    assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
    assertThatThrownBy(() -> explainer.explain(request))
        .isInstanceOf(RejectedExecutionException.class);

    time.refuseTasks(false);
    List<CompletableFuture<Explanation>> further =
        Stream.generate(() -> explainer.explain(request)).limit(4).toList();
    time.run();
    assertThat(further).allSatisfy(answer -> assertThat(answer).isCompleted());
  }

  @Test
  void storeThatFailsFailsTheAnswer() {
    tracker.submit(job("close").build());
    Stores broken =
        Interruptions.after(
            stores,
            RunStore.class,
            "findByTask",
            () -> {
              throw new StoreUnavailableException("no connection", null);
            });

    assertThatThrownBy(() -> ask(broken, HandDrivenTracker.GROUP, "close").join())
        .hasRootCauseMessage("no connection");
  }
}
