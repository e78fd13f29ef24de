package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.CLIENT;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.api.DeclareResult.Status;
import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.internal.LogCapture;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.JobEdit;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.job.DeclaredJob;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.Stores;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an application declares, and what becomes of its jobs. */
class DeclareTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String OWNER = "billing";

  private int declarations;

  /** A declaration of one page that retires what is missing. */
  private DeclareRequest set(String owner, @Nullable Long revision, Job... jobs) {
    String id = "declaration-" + ++declarations;
    return new DeclareRequest(id, owner, revision, 0, true, true, false, false, List.of(jobs));
  }

  private static DeclareRequest page(DeclareRequest of, int page, boolean last, List<Job> jobs) {
    return new DeclareRequest(
        of.declarationId(),
        of.owner(),
        of.revision(),
        page,
        last,
        of.retireMissing(),
        of.adopt(),
        of.force(),
        jobs);
  }

  private static DeclareRequest with(
      DeclareRequest of, boolean retireMissing, boolean adopt, boolean force) {
    return new DeclareRequest(
        of.declarationId(),
        of.owner(),
        of.revision(),
        of.page(),
        of.last(),
        retireMissing,
        adopt,
        force,
        of.jobs());
  }

  private DeclareReply send(DeclareRequest request) {
    return send(tracker, request);
  }

  private DeclareReply send(HandDrivenTracker to, DeclareRequest request) {
    CompletableFuture<DeclareReply> reply = to.jobs().declarer().declare(CLIENT, request);
    time.run();
    return reply.join();
  }

  private List<JobResult> declare(Job... jobs) {
    DeclareReply reply = send(set(OWNER, null, jobs));
    assertThat(reply.status()).isEqualTo(Status.DONE);
    return reply.jobs();
  }

  private Change declareOne(Job job) {
    return declare(job).get(0).change();
  }

  private static Job each(String taskId, int minutes) {
    return job(taskId).every(MINUTE.multipliedBy(minutes)).build();
  }

  private static List<Job> each(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> each("task-" + i, 5)).toList();
  }

  private DeclaredJob row(String taskId) {
    return stores.declared().find(GROUP, taskId).orElseThrow();
  }

  @Test
  void newJobsAreStoredAndRun() {
    HandDrivenWorker worker = tracker.worker("worker-1");

    List<JobResult> results = declare(each("a", 1), job("b").cron("0 0 * * * ?").build());

    assertThat(results)
        .extracting(JobResult::taskId, JobResult::change)
        .containsExactly(tuple("a", Change.ADDED), tuple("b", Change.ADDED));
    assertThat(definition("a").state()).isEqualTo(JobState.ACTIVE);
    assertThat(worker.takeOne().taskId()).isEqualTo("a");
  }

  @Test
  void equalSetTouchesNoJob() {
    declare(each("a", 1), each("b", 2));
    Stores withoutJobs =
        stores.with(
            JobStore.class,
            real ->
                (JobStore)
                    Proxy.newProxyInstance(
                        JobStore.class.getClassLoader(),
                        new Class<?>[] {JobStore.class},
                        (proxy, method, arguments) -> {
                          throw new AssertionError(method + " was called");
                        }));
    HandDrivenTracker other = new HandDrivenTracker(2, withoutJobs, time);

    DeclareReply reply = send(other, set(OWNER, null, each("b", 2), each("a", 1)));

    assertThat(reply.jobs())
        .extracting(JobResult::taskId, JobResult::change)
        .containsExactly(tuple("b", Change.UNCHANGED), tuple("a", Change.UNCHANGED));
    assertThat(definition("a").version()).isEqualTo(1);
  }

  @Test
  void differingJobIsEditedAndStaysPaused() {
    declare(each("a", 1));
    tracker.pause("a", "too slow");
    Pause pause = definition("a").pause();

    assertThat(declareOne(each("a", 2))).isEqualTo(Change.CHANGED);

    assertThat(definition("a").state()).isEqualTo(JobState.PAUSED);
    assertThat(definition("a").pause()).isEqualTo(pause);
    assertThat(definition("a").schedule()).isEqualTo(each("a", 2).schedule());
    assertThat(waiting("a")).isEmpty();
  }

  @Test
  void eachPartOfAJobIsCompared() {
    Job plain = each("a", 1);
    declare(plain);

    assertThat(declareOne(job("a").every(MINUTE).param("of", "x").build()))
        .isEqualTo(Change.CHANGED);
    assertThat(declareOne(job("a").every(MINUTE).param("of", "x").priority(3).build()))
        .isEqualTo(Change.CHANGED);
    assertThat(
            declareOne(job("a").every(MINUTE).param("of", "x").priority(3).feedback(true).build()))
        .isEqualTo(Change.CHANGED);
    assertThat(definition("a").spec().clientGroup()).isEqualTo(CLIENT.group());
    assertThat(definition("a").version()).isEqualTo(4);
  }

  @Test
  void whatHasNoEffectIsNoDifference() {
    Job plain = each("a", 1);
    declare(plain);
    Job spelledOut =
        job("a")
            .every(MINUTE)
            .overlap(plain.overlapOrDefault())
            .misfire(io.millrace.api.MisfirePolicy.DEFAULT)
            .replaceExisting(true)
            .traceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
            .build();

    assertThat(declareOne(spelledOut)).isEqualTo(Change.UNCHANGED);
  }

  @Test
  void broadcastIsComparedWithWhatTheLossOfAWorkerMeans() {
    declare(each("a", 1));

    assertThat(declareOne(job("a").every(MINUTE).broadcast().build())).isEqualTo(Change.CHANGED);
    assertThat(
            declareOne(
                job("a").every(MINUTE).broadcast().onWorkerLost(WorkerLossPolicy.SKIP).build()))
        .isEqualTo(Change.UNCHANGED);
    assertThat(
            declareOne(
                job("a").every(MINUTE).broadcast().onWorkerLost(WorkerLossPolicy.DEAD).build()))
        .isEqualTo(Change.CHANGED);
  }

  @Test
  void libraryThatAddsAFieldEditsNothing() {
    declare(each("a", 1));
    byHand(
        "UPDATE jt_declared SET definition = REPLACE(REPLACE(definition, '\"priority\":100,', ''),"
            + " '\"job\":{', '\"job\":{\"ofALaterVersion\":1,')");
    assertThat(row("a").definition().job().priority()).isEqualTo(100);

    assertThat(declareOne(each("a", 1))).isEqualTo(Change.UNCHANGED);
    assertThat(definition("a").version()).isEqualTo(1);
  }

  @Test
  void editOfAnOperatorStaysUntilTheJobIsDeclaredDifferently() {
    declare(each("a", 1));
    tracker.edit(each("a", 7), new JobEdit(null, null));

    assertThat(declareOne(each("a", 1))).isEqualTo(Change.UNCHANGED);
    assertThat(definition("a").schedule()).isEqualTo(each("a", 7).schedule());

    JobResult result = declare(each("a", 2)).get(0);
    assertThat(result.change()).isEqualTo(Change.CHANGED);
    assertThat(result.message()).contains("version 2").contains(CLIENT.nodeId());
    assertThat(definition("a").schedule()).isEqualTo(each("a", 2).schedule());

    assertThat(declare(each("a", 3)).get(0).message()).as("nobody edited it since").isNull();
  }

  @Test
  void cancelOfAnOperatorStaysUntilTheJobIsDeclaredDifferently() {
    declare(each("a", 1));
    tracker.cancel("a");

    assertThat(declareOne(each("a", 1))).isEqualTo(Change.UNCHANGED);
    assertThat(definition("a").state()).isEqualTo(JobState.CANCELLED);

    JobResult result = declare(each("a", 2)).get(0);
    assertThat(result.change()).isEqualTo(Change.CHANGED);
    assertThat(result.message()).contains("CANCELLED");
    assertThat(definition("a").state()).isEqualTo(JobState.ACTIVE);
  }

  @Test
  void missingJobIsCancelledIfAsked() {
    HandDrivenWorker worker = tracker.worker("worker-1");
    declare(each("a", 1), each("b", 1));
    assertThat(worker.take(2)).hasSize(2);

    DeclareReply kept = send(with(set(OWNER, null, each("a", 1)), false, false, false));
    assertThat(kept.jobs()).extracting(JobResult::taskId).containsExactly("a");
    assertThat(definition("b").state()).isEqualTo(JobState.ACTIVE);

    assertThat(declare(each("a", 1)))
        .extracting(JobResult::taskId, JobResult::change)
        .containsExactly(tuple("a", Change.UNCHANGED), tuple("b", Change.RETIRED));
    assertThat(definition("b").state()).isEqualTo(JobState.CANCELLED);
    assertThat(waiting("b")).isEmpty();
    assertThat(executing("b")).singleElement().matches(it -> it.stopRequested());
    assertThat(definition("a").state()).isEqualTo(JobState.ACTIVE);
    assertThat(declare(each("a", 1))).as("retired once").hasSize(1);
  }

  @Test
  void splitRunOfARetiredJobIsStopped() {
    declare(each("a", 1), job("b").every(MINUTE).shards(9).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    List<Assignment> taken = new ArrayList<>();
    while (stores.batches().findByTask(GROUP, "b").isEmpty()) {
      taken.addAll(worker.take(1));
    }
    long runId = stores.batches().findByTask(GROUP, "b").get(0);

    declare(each("a", 1));

    assertThat(stores.batches().look(List.of(runId)).get(runId).state())
        .isEqualTo(BatchState.STOPPING);
    assertThat(waiting(PartKey.taskIdOf(runId))).isEmpty();
    taken.forEach(worker::succeed);
    tracker.runBatches();
    assertThat(ends("b")).containsExactly("CANCELLED");
  }

  @Test
  void retiredJobReturnsPausedIfItWas() {
    declare(each("a", 1), each("b", 1), each("c", 1));
    tracker.pause("b", "broken");
    Pause pause = definition("b").pause();
    declare(each("a", 1));
    time.pass(MINUTE.multipliedBy(30));

    List<JobResult> results = declare(each("a", 1), each("b", 2), each("c", 1));

    assertThat(results)
        .extracting(JobResult::change)
        .containsExactly(Change.UNCHANGED, Change.RETURNED, Change.RETURNED);
    assertThat(definition("b").state()).isEqualTo(JobState.PAUSED);
    assertThat(definition("b").pause()).isEqualTo(pause);
    assertThat(waiting("b")).isEmpty();
    assertThat(definition("c").state()).isEqualTo(JobState.ACTIVE);
    assertThat(waiting("c")).isNotEmpty();
    long before = ledger("b").size();
    tracker.resume("b");
    assertThat(ledger("b")).as("nothing fired while it was retired").hasSize((int) before);
    assertThat(waiting("b")).allMatch(trigger -> trigger.plannedFor() >= time.millis());
  }

  @Test
  void emptySetRetiresNothing() {
    declare(each("a", 1));

    assertThat(declare()).isEmpty();

    assertThat(definition("a").state()).isEqualTo(JobState.ACTIVE);
  }

  @Test
  void invalidJobIsRejectedAndDoesNotCountAsMissing() {
    declare(each("a", 1), each("b", 1));

    List<JobResult> results =
        declare(job("a").cron("never").build(), each("b", 2), job("once").build(), each(" x", 1));

    assertThat(results)
        .extracting(JobResult::change, JobResult::reason)
        .containsExactly(
            tuple(Change.REJECTED, RejectReason.BAD_CRON),
            tuple(Change.CHANGED, null),
            tuple(Change.REJECTED, RejectReason.NOT_RECURRING),
            tuple(Change.REJECTED, RejectReason.BAD_TASK_ID));
    assertThat(definition("a").state()).isEqualTo(JobState.ACTIVE);
    assertThat(declareOne(each("a", 1))).as("what it was").isEqualTo(Change.UNCHANGED);
  }

  @Test
  void jobThatHasFinishedIsNotBegunAgain() {
    Job twice = job("a").every(MINUTE).times(1).until(inMillis(120_000)).build();
    HandDrivenWorker worker = tracker.worker("worker-1");
    declare(twice);
    worker.succeed(worker.takeOne());
    time.pass(MINUTE.multipliedBy(3));
    tracker.generate();

    assertThat(declareOne(twice)).isEqualTo(Change.UNCHANGED);
    assertThat(waiting("a")).isEmpty();
  }

  @Test
  void lowerRevisionIsOutdatedAndChangesNothing() {
    send(set(OWNER, 7L, each("a", 1), each("b", 1)));
    send(set(OWNER, 8L, each("a", 2)));

    DeclareReply old = send(set(OWNER, 7L, each("a", 1), each("b", 1)));
    DeclareReply none = send(set(OWNER, null, each("a", 1)));

    assertThat(old.status()).isEqualTo(Status.OUTDATED);
    assertThat(old.message()).contains(OWNER, "7", "8");
    assertThat(old.jobs()).isEmpty();
    assertThat(none.status()).isEqualTo(Status.OUTDATED);
    assertThat(definition("a").schedule()).isEqualTo(each("a", 2).schedule());
    assertThat(definition("b").state()).isEqualTo(JobState.CANCELLED);
    assertThat(send(set(OWNER, 8L, each("a", 2))).status()).isEqualTo(Status.DONE);
  }

  @Test
  void rollingDeployWithRestartsEndsWithTheHigherRevision() {
    List<Job> oldSet = List.of(each("a", 1), each("b", 1));
    List<Job> newSet = List.of(each("a", 2), each("c", 1));
    for (long revision : new long[] {1, 1, 2, 1, 2, 1, 1, 2, 2}) {
      send(set(OWNER, revision, (revision == 1 ? oldSet : newSet).toArray(Job[]::new)));
    }

    assertThat(definition("a").version()).as("edited once").isEqualTo(2);
    assertThat(definition("b").state()).isEqualTo(JobState.CANCELLED);
    assertThat(definition("c").version()).isEqualTo(1);
    assertThat(row("a").latest().revision()).isEqualTo(2);
  }

  @Test
  void forceGoesBackToALowerRevision() {
    send(set(OWNER, 8L, each("a", 2)));

    DeclareReply back = send(with(set(OWNER, 7L, each("a", 1)), true, false, true));

    assertThat(back.status()).isEqualTo(Status.DONE);
    assertThat(definition("a").schedule()).isEqualTo(each("a", 1).schedule());
    assertThat(send(set(OWNER, 7L, each("a", 1))).status()).isEqualTo(Status.DONE);
  }

  @Test
  void jobOfAnotherOwnerIsAConflictUnlessAdopted() {
    send(set("shop", null, each("a", 1)));

    JobResult conflict = declare(each("a", 2), each("b", 1)).get(0);
    assertThat(conflict.change()).isEqualTo(Change.CONFLICT);
    assertThat(conflict.message()).contains("shop");
    assertThat(definition("a").version()).isEqualTo(1);

    DeclareReply adopted = send(with(set(OWNER, null, each("a", 2)), false, true, false));
    assertThat(adopted.jobs().get(0).change()).isEqualTo(Change.CHANGED);
    assertThat(adopted.jobs().get(0).message()).contains("shop");
    assertThat(row("a").latest().owner()).isEqualTo(OWNER);

    assertThat(send(set("shop", null, each("a", 1))).jobs().get(0).change())
        .isEqualTo(Change.CONFLICT);
    assertThat(definition("b").state()).as("of another owner").isEqualTo(JobState.ACTIVE);
  }

  @Test
  void retiredJobOfAnotherOwnerIsFree() {
    send(set("shop", null, each("a", 1), each("b", 1)));
    send(set("shop", null, each("b", 1)));

    assertThat(declareOne(each("a", 2))).isEqualTo(Change.ADDED);

    assertThat(send(set("shop", null, each("a", 1), each("b", 1))).jobs().get(0).change())
        .isEqualTo(Change.CONFLICT);
  }

  @Test
  void jobThatNobodyDeclaredIsAConflictUnlessAdopted() {
    tracker.submit(each("a", 1));
    tracker.pause("a");

    assertThat(declareOne(each("a", 2))).isEqualTo(Change.CONFLICT);
    assertThat(stores.declared().find(GROUP, "a")).isEmpty();

    send(with(set(OWNER, null, each("a", 2)), false, true, false));
    assertThat(definition("a").state()).as("an edit keeps the pause").isEqualTo(JobState.PAUSED);
    assertThat(declareOne(each("a", 2))).isEqualTo(Change.UNCHANGED);
  }

  @Test
  void oneShotWithTheKeyIsAConflictUnlessAdopted() {
    HandDrivenWorker worker = tracker.worker("worker-1");
    tracker.submit(job("a").build());

    assertThat(declareOne(each("a", 1))).isEqualTo(Change.CONFLICT);

    worker.takeOne();
    assertThat(send(with(set(OWNER, null, each("a", 1)), false, true, false)).jobs())
        .as("it runs")
        .singleElement()
        .matches(result -> result.change() == Change.CONFLICT);
    tracker.submit(job("b").build());
    assertThat(send(with(set(OWNER, null, each("b", 1)), false, true, false)).jobs())
        .singleElement()
        .matches(result -> result.change() == Change.ADDED);
    assertThat(definition("b").state()).isEqualTo(JobState.ACTIVE);
  }

  @Test
  void nothingIsRetiredBeforeTheLastPage() {
    declare(each(0, 4).toArray(Job[]::new));
    DeclareRequest set = set(OWNER, null);

    DeclareReply first = send(page(set, 0, false, each(0, 2)));
    assertThat(first.jobs()).extracting(JobResult::change).containsOnly(Change.UNCHANGED);
    assertThat(definition("task-3").state()).isEqualTo(JobState.ACTIVE);

    DeclareReply last = send(page(set, 1, true, each(4, 6)));
    assertThat(last.jobs())
        .extracting(JobResult::taskId, JobResult::change)
        .containsExactly(
            tuple("task-4", Change.ADDED),
            tuple("task-5", Change.ADDED),
            tuple("task-2", Change.RETIRED),
            tuple("task-3", Change.RETIRED));
  }

  @Test
  void resendOfEachPageIsAnsweredAsBeforeAndChangesNothing() {
    declare(each("task-0", 1), each("gone", 1));
    DeclareRequest set = set(OWNER, null);
    List<DeclareRequest> pages =
        List.of(
            page(set, 0, false, each(0, 3)),
            page(set, 1, false, each(3, 6)),
            page(set, 2, true, each(6, 9)));
    List<DeclareReply> answers = new ArrayList<>();
    HandDrivenTracker other = anotherTracker();

    for (DeclareRequest page : pages) {
      answers.add(send(page));
      assertThat(send(other, page)).isEqualTo(answers.get(answers.size() - 1));
    }

    assertThat(answers.get(0).jobs())
        .extracting(JobResult::change)
        .containsExactly(Change.CHANGED, Change.ADDED, Change.ADDED);
    assertThat(answers.get(2).jobs()).hasSize(4);
    for (int i = 0; i < pages.size(); i++) {
      assertThat(send(pages.get(i))).isEqualTo(answers.get(i));
    }
    assertThat(definition("task-0").version()).isEqualTo(2);
    assertThat(definition("task-8").version()).isEqualTo(1);
    assertThat(stores.declared().lockOwner(OWNER).jobs()).as("each counts once").isEqualTo(9);
  }

  @Test
  void declarationThatEndsBetweenPagesLeavesWhatItDidAndTheNextCompletesIt() {
    declare(each(0, 3).toArray(Job[]::new));
    DeclareRequest killed = set(OWNER, null);
    send(page(killed, 0, false, each(3, 5)));

    DeclareRequest next = set(OWNER, null);
    send(page(next, 0, false, each(3, 5)));
    DeclareReply late = send(page(killed, 1, true, each(5, 7)));
    DeclareReply again = send(page(killed, 0, false, each(0, 1)));
    DeclareReply last = send(page(next, 1, true, each(5, 7)));

    assertThat(late.status()).isEqualTo(Status.SUPERSEDED);
    assertThat(again.status()).as("it does not begin again").isEqualTo(Status.SUPERSEDED);
    assertThat(last.jobs())
        .extracting(JobResult::change)
        .containsExactly(
            Change.ADDED, Change.ADDED, Change.RETIRED, Change.RETIRED, Change.RETIRED);
  }

  @Test
  void manyJobsAreRetiredInFurtherPagesWithoutJobs() {
    int missing = DeclareTransactions.RETIRED_PER_PAGE + 7;
    declare(each(0, missing).toArray(Job[]::new));
    DeclareRequest set = set(OWNER, null, each("kept", 1));

    DeclareReply first = send(set);
    DeclareReply second = send(page(set, 1, true, List.of()));

    assertThat(first.more()).isTrue();
    assertThat(first.jobs()).hasSize(1 + DeclareTransactions.RETIRED_PER_PAGE);
    assertThat(second.more()).isFalse();
    assertThat(second.jobs()).hasSize(7);
    assertThat(send(set).jobs()).as("resend").isEqualTo(first.jobs());
    assertThat(send(page(set, 1, true, List.of()))).as("resend").isEqualTo(second);
  }

  @Test
  void pageWithoutTheOneBeforeIsRefused() {
    DeclareRequest set = set(OWNER, null);

    assertThatThrownBy(() -> send(page(set, 1, true, each(0, 1))))
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("page 1");
    send(page(set, 0, false, each(0, 1)));
    assertThatThrownBy(() -> send(page(set, 2, true, each(0, 1)))).hasMessageContaining("page 2");
  }

  @ParameterizedTest
  @CsvSource({"'',owner", "'x\u200b',owner"})
  void badOwnerIsRefused(String owner, String what) {
    assertThatThrownBy(() -> send(set(owner, null, each("a", 1)))).hasMessageContaining(what);
  }

  @Test
  void jobThatIsDeclaredTwiceIsRefused() {
    assertThatThrownBy(() -> send(set(OWNER, null, each("a", 1), each("a", 2))))
        .hasMessageContaining(GROUP + "/a is declared twice");
  }

  @Test
  void setsThatTakeTurnsAreLogged() {
    try (LogCapture log = new LogCapture(DeclareTransactions.class)) {
      for (int round = 0; round < 2; round++) {
        declare(each("a", 1), each("b", 1));
        declare(each("a", 2));
      }
      assertThat(log.lines()).as("once back may be meant").hasSize(1);
      assertThat(log.lines().get(0)).contains(OWNER, "take turns", GROUP + "/a");
    }
  }

  @Test
  void risingRevisionsThatGoBackAreNotLogged() {
    try (LogCapture log = new LogCapture(DeclareTransactions.class)) {
      for (long revision = 1; revision < 8; revision++) {
        send(set(OWNER, revision, each("a", 1 + (int) (revision % 2))));
      }
      assertThat(log.lines()).isEmpty();
    }
  }

  /** Loses the outcome of each transaction of a declaration in turn. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"COMMITTED_IN_SILENCE", "ROLLED_BACK_IN_SILENCE"})
  void lostOutcomeChangesNothing(Fault fault) {
    for (int others = 0; others < 6; others++) {
      String owner = "owner-" + others;
      String task = "task-" + others;
      send(set(owner, null, each(task + "-gone", 1), each(task, 1)));
      FaultyTransactions faulty = new FaultyTransactions(stores.transactions());
      HandDrivenTracker other =
          new HandDrivenTracker(3, ForwardingTransactions.around(stores, faulty), time);
      faulty.failAfter(others, fault);

      DeclareReply reply = send(other, set(owner, null, each(task, 2), each(task + "-new", 1)));

      assertThat(reply.jobs())
          .as("transaction %s", others)
          .extracting(JobResult::change)
          .containsExactly(Change.CHANGED, Change.ADDED, Change.RETIRED);
      assertThat(definition(task).version()).isEqualTo(2);
      assertThat(definition(task + "-new").version()).isEqualTo(1);
    }
  }

  @Test
  void thousandsOfJobsTakeFewTransactions() {
    DeclareRequest set = set(OWNER, 1L);
    for (int page = 0; page < 8; page++) {
      DeclareReply reply = send(page(set, page, page == 7, each(page * 250, page * 250 + 250)));
      assertThat(reply.jobs()).hasSize(250).allMatch(it -> it.change() == Change.ADDED);
    }
    assertThat(stores.jobs().list(GROUP, "", 3_000)).hasSize(2_000);
    HandDrivenTracker other = anotherTracker();
    DeclareRequest again = set(OWNER, 1L);
    for (int page = 0; page < 8; page++) {
      HandDrivenTracker to = page < 4 ? tracker : other;
      DeclareReply reply =
          send(to, page(again, page, page == 7, each(page * 250, page * 250 + 250)));
      assertThat(reply.jobs()).hasSize(250).allMatch(it -> it.change() == Change.UNCHANGED);
    }
  }
}
