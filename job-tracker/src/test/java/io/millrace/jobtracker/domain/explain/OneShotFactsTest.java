package io.millrace.jobtracker.domain.explain;

import static io.millrace.jobtracker.domain.explain.SampleFindings.NOW;
import static io.millrace.jobtracker.domain.explain.SampleFindings.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.snapshot.GroupView;
import io.millrace.jobtracker.domain.snapshot.KeptState;
import io.millrace.jobtracker.domain.snapshot.Serving;
import io.millrace.jobtracker.domain.snapshot.TaskSnapshot;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OneShotFactsTest {
  private static final TriggerKey KEY = TriggerKey.oneShot("a");

  private final SampleFindings found = new SampleFindings();

  @Test
  void whatItIsComesFirst() {
    found.oneShotWaits(at("11:00:00"), 1);

    assertThat(found.kinds()).containsExactly(FactKind.STATE, FactKind.WAITING);
    assertThat(found.texts(FactKind.STATE))
        .containsExactly(
            "One-shot job, accepted at 2026-03-02T09:58:00Z from client client-1 of group shop;"
                + " priority 100, handler mail, up to 3 retries.");
  }

  @Test
  void waitsUntilItIsDue() {
    found.oneShotWaits(at("11:00:00"), 1);

    assertThat(found.texts(FactKind.WAITING))
        .containsExactly("It waits until 2026-03-02T11:00:00Z (in 1 h).");
    assertThat(found.facts().get(1).at()).isEqualTo(Instant.parse("2026-03-02T11:00:00Z"));
  }

  @Test
  void dueWithoutAnyWorker() {
    found.oneShotWaits(NOW - 3_000, 1).workers(0, 0);

    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T09:59:57Z (3 s), but no worker of node group orders is"
                + " connected.");
  }

  @Test
  void dueWithoutAFreeSlot() {
    found.oneShotWaits(NOW - 3_000, 1).workers(2, 0);

    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T09:59:57Z (3 s), but of the 2 workers connected none"
                + " has a free slot; 1,204 triggers of the node group are due, and lower priority"
                + " numbers run first.");
    assertThat(found.dueInGroup(TaskSnapshot.MAX_DUE).texts(FactKind.DUE).get(0))
        .contains("; at least 10,000 triggers of the node group are due,");
  }

  @Test
  void dueWithoutAFreeSlotWhereTriggersAge() {
    found.oneShotWaits(NOW - 3_000, 1).workers(2, 0);

    List<Fact> facts =
        SampleFindings.writer(Duration.ofMinutes(1)).write(found.read(), Locale.ENGLISH, null);

    assertThat(facts)
        .filteredOn(fact -> fact.kind() == FactKind.DUE)
        .singleElement()
        .satisfies(
            fact ->
                assertThat(fact.text())
                    .endsWith(
                        "and lower priority numbers run first; a trigger gains one level of"
                            + " priority for each 1 min that it is due."));
  }

  @Test
  void dueAndAboutToBeHandedOut() {
    found.oneShotWaits(NOW - 3, 1).workers(2, 3);

    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T09:59:59.997Z (3 ms) and will be claimed shortly: the"
                + " 2 workers connected wait for work with 3 free slots.");
  }

  @Test
  void dueWithLabelsThatNoWorkerHas() {
    found.oneShotRequires(NOW, "eu", "gpu").servedBy(Serving.here(labelled("eu", "")));
    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T10:00:00Z (0 ms), but no worker of node group orders has"
                + " the label gpu.");

    found.servedBy(Serving.here(labelled("eu", "gpu")));
    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T10:00:00Z (0 ms), but no worker of node group orders has"
                + " all the labels that it requires: eu, gpu.");

    found.servedBy(Serving.here(labelled("eu gpu", "")));
    assertThat(found.texts(FactKind.DUE).get(0))
        .startsWith(
            "It is due since 2026-03-02T10:00:00Z (0 ms) and will be claimed shortly: the 1 worker"
                + " connected");
  }

  @Test
  void dueWithoutAWorkerThatKnowsParts() {
    found.oneShotRequires(NOW, Lane.PARTS).servedBy(Serving.here(labelled("", "")));
    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T10:00:00Z (0 ms), but no worker of node group orders knows"
                + " parts of runs: their software is older.");
  }

  /** Two workers with these labels, each with two free slots. */
  private static GroupView labelled(String ofOne, String ofOther) {
    return new GroupView(
        Set.of("worker-1", "worker-2"),
        4,
        false,
        false,
        Set.of(),
        Map.of("worker-1", Set.of(ofOne.split(" ")), "worker-2", Set.of(ofOther.split(" "))),
        Map.of("worker-1", 2, "worker-2", 2),
        Set.of());
  }

  @Test
  void dueWhileWorkersDrain() {
    Set<String> workers = Set.of("worker-1", "worker-2");
    found
        .oneShotWaits(NOW, 1)
        .dueInGroup(3)
        .servedBy(
            Serving.here(new GroupView(workers, 0, false, false, Set.of("worker-2", "worker-3"))));
    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T10:00:00Z (0 ms), but of the 2 workers connected none"
                + " has a free slot, and 1 of them is draining and gets no further work; 3 triggers"
                + " of the node group are due, and lower priority numbers run first.");

    found.servedBy(Serving.here(new GroupView(workers, 0, false, false, workers)));
    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T10:00:00Z (0 ms), but the 2 workers connected are all"
                + " draining and get no further work until an operator ends that; 3 triggers of the"
                + " node group are due, and lower priority numbers run first.");
  }

  @Test
  void dueWhileTheQueueCannotBeRead() {
    found
        .oneShotWaits(NOW, 1)
        .servedBy(Serving.here(new GroupView(Set.of("worker-1"), 1, true, false, Set.of())));

    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T10:00:00Z (0 ms), but the waiting queue of node group"
                + " orders cannot be read now.");
  }

  @Test
  void dueWhileItsTrackerIsInDoubtWhetherItOwnsTheGroup() {
    found
        .oneShotWaits(NOW, 1)
        .servedBy(Serving.here(new GroupView(Set.of(), 1, false, true, Set.of())));

    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T10:00:00Z (0 ms), but this tracker, which serves node"
                + " group orders, has not renewed its lease in time: it assigns no work until it"
                + " has renewed it and checked which tracker serves the group.");
  }

  @Test
  void dueAndServedByAnotherTracker() {
    found.oneShotWaits(NOW - 3_000, 1).servedBy(Serving.elsewhere(4, "10.0.0.4:35001"));

    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T09:59:57Z (3 s); node group orders is served by"
                + " tracker 4 at 10.0.0.4:35001, and only that tracker knows the state of its"
                + " workers: ask that tracker.");
  }

  @Test
  void dueAndServedByNobody() {
    found.oneShotWaits(NOW - 3_000, 1).servedBy(Serving.none());

    assertThat(found.texts(FactKind.DUE))
        .containsExactly(
            "It is due since 2026-03-02T09:59:57Z (3 s), but no tracker serves node group"
                + " orders now; a live tracker takes it over within about 10 s.");
  }

  @Test
  void waitsForItsRetry() {
    found
        .oneShotWaits(NOW + 2_000, 2)
        .ended(KEY, LedgerStatus.RETRIED, NOW - 2_000, null, "mail server\nis down");

    assertThat(found.texts(FactKind.RETRY))
        .containsExactly(
            "It continues with retry 1 of 3, and waits until 2026-03-02T10:00:02Z (in 2 s): attempt"
                + " 1 threw at 2026-03-02T09:59:58Z on worker worker-1: mail server is down");
    assertThat(found.texts(FactKind.WAITING)).isEmpty();
    assertThat(found.texts(FactKind.ENDED))
        .containsExactly(
            "Attempt 1 of it threw at 2026-03-02T09:59:58Z on worker worker-1; claimed 12 ms"
                + " after it was due, ended 3.5 s later. Message: mail server is down");
  }

  @Test
  void retryThatIsDueTellsBothWhyAndWhatItWaitsFor() {
    found
        .oneShotWaits(NOW - 1_000, 3)
        .workers(0, 0)
        .ended(KEY, LedgerStatus.RESCUED, NOW - 2_000, Cause.of(CauseCode.WORKER_LOST), null);

    assertThat(found.texts(FactKind.RETRY))
        .containsExactly(
            "It continues with retry 2 of 3, and is due since 2026-03-02T09:59:59Z (1 s):"
                + " attempt 1 on worker worker-1 was rescued at 2026-03-02T09:59:58Z, because the"
                + " worker's lease had expired.");
    assertThat(found.texts(FactKind.DUE)).hasSize(1);
  }

  @Test
  void postponedByTheJobItself() {
    found
        .oneShotWaits(NOW + 60_000, 1)
        .ended(KEY, LedgerStatus.POSTPONED, NOW - 2_000, null, "table is locked");

    assertThat(found.texts(FactKind.WAITING))
        .containsExactly(
            "It was postponed by the job itself at 2026-03-02T09:59:58Z on worker worker-1, and"
                + " waits until 2026-03-02T10:01:00Z (in 1 min): the attempt does not count: table"
                + " is locked");
  }

  @Test
  void givenBackByAWorker() {
    found
        .oneShotWaits(NOW + 5_000, 1)
        .ended(KEY, LedgerStatus.RETURNED, NOW, Cause.of(CauseCode.HANDLER_UNKNOWN), null);

    assertThat(found.texts(FactKind.WAITING))
        .containsExactly(
            "It was returned at 2026-03-02T10:00:00Z from worker worker-1, and waits until"
                + " 2026-03-02T10:00:05Z (in 5 s): the attempt does not count: handler unknown to"
                + " the worker. It is retried every 5 s, without limit, until a worker that has a"
                + " runner for it claims it.");
  }

  @Test
  void givenBackByAWorkerThatSaysWhichRunnersItHas() {
    found
        .oneShotWaits(NOW + 5_000, 1)
        .ended(
            KEY,
            LedgerStatus.RETURNED,
            NOW,
            Cause.of(CauseCode.HANDLER_UNKNOWN),
            "the job names no handler, and this worker has 2 (a, b)");

    assertThat(found.texts(FactKind.WAITING))
        .singleElement()
        .asString()
        .endsWith(
            "the attempt does not count: handler unknown to the worker. Message: the job"
                + " names no handler, and this worker has 2 (a, b). It is retried every 5 s,"
                + " without limit, until a worker that has a runner for it claims it.");
  }

  @Test
  void givenBackByAWorkerForAnotherReason() {
    found
        .oneShotWaits(NOW + 5_000, 1)
        .ended(KEY, LedgerStatus.RETURNED, NOW, Cause.of(CauseCode.NOT_STARTED), null);

    assertThat(found.texts(FactKind.WAITING))
        .singleElement()
        .asString()
        .endsWith("the attempt does not count: not started by the worker.");
  }

  @Test
  void runsOnAWorker() {
    found.runs(KEY, "worker-1", NOW - 182_000, false);

    assertThat(found.kinds()).containsExactly(FactKind.STATE, FactKind.RUNNING);
    assertThat(found.texts(FactKind.RUNNING))
        .containsExactly(
            "It runs on worker worker-1, which claimed it at 2026-03-02T09:56:58Z (3 min 2 s):"
                + " attempt 2 of 4, execution 100.");
  }

  @Test
  void wasSplitAndItsPartsRun() {
    found
        .runs(KEY, "worker-1", NOW - 182_000, false)
        .split(new PartCounts(1_200, 500, new PartEnds(240, 1, 2, 0, 0), 0), null);

    assertThat(found.texts(FactKind.RUNNING))
        .containsExactly(
            "It was split into 1,200 parts at 2026-03-02T09:56:58Z (3 min 2 s), as batch 100. 243 of"
                + " 1,200 parts have ended; running: 0, waiting: 257. To follow as these end: 700."
                + " Failed so far: 3.");
  }

  @Test
  void wasSplitAndIsStopped() {
    found
        .runs(KEY, "worker-1", NOW - 1_000, false)
        .split(PartCounts.of(8).releasing(8).ending(PartEnds.cancelled(1)), BatchStop.PART_FAILED);

    assertThat(found.texts(FactKind.RUNNING))
        .containsExactly(
            "It was split into 8 parts at 2026-03-02T09:59:59Z (1 s), as batch 100. 1 of 8"
                + " parts has ended; running: 0, waiting: 7. Failed so far: 1. A part failed: no other begins any"
                + " more.");
  }

  @Test
  void runsAndSaysHowFarItHasCome() {
    found.runs(KEY, "worker-1", NOW - 182_000, false);
    found.keeping(12, NOW - 1_000, new KeptState.Progress(40, 100));

    assertThat(found.texts(FactKind.RUNNING))
        .singleElement()
        .asString()
        .endsWith(
            "execution 100. 12 steps are done, the last one \"1\", at 2026-03-02T09:59:55Z (5 s)."
                + " Its last checkpoint was stored at 2026-03-02T09:59:59Z (1 s). It says that it"
                + " has done 40 of 100.");
  }

  @Test
  void whatTheNextAttemptFindsDoneIsSaidAfterWhyItWaits() {
    found.ended(KEY, LedgerStatus.RETRIED, NOW - 60_000, null, "boom");
    found.oneShotWaits(NOW + 60_000, 2).withSteps(3);

    assertThat(found.texts(FactKind.RETRY))
        .hasSize(2)
        .last()
        .isEqualTo("3 steps are done, the last one \"1\", at 2026-03-02T09:59:55Z (5 s).");
    found.oneShotWaits(NOW - 1_000, 2).withSteps(1);
    assertThat(found.texts(FactKind.RETRY))
        .contains("1 step is done: \"1\", at 2026-03-02T09:59:55Z (5 s).");
  }

  @Test
  void deadOneSaysWhatItsReplayFindsDone() {
    Cause cause = Cause.of(CauseCode.ATTEMPTS_USED_UP);
    found.ended(KEY, LedgerStatus.DEAD, NOW - 60_000, cause, "boom").withSteps(2);

    assertThat(found.texts(FactKind.ENDED).get(0))
        .endsWith(
            " 2 steps are done, the last one \"1\", at 2026-03-02T09:59:55Z (5 s). Message: boom");
  }

  @Test
  void runsOnAWorkerThatWasAskedToStopAndIsGone() {
    found.runs(KEY, "worker-9", NOW - 1_000, true);

    assertThat(found.texts(FactKind.RUNNING))
        .containsExactly(
            "It runs on worker worker-9, which claimed it at 2026-03-02T09:59:59Z (1 s):"
                + " attempt 2 of 4, execution 100. It was asked to stop: a success still counts,"
                + " and no attempt follows. That worker is not connected: unless it reconnects, the"
                + " run is rescued when its lease of 15 s expires.");
  }

  @Test
  void ended() {
    found.ended(KEY, LedgerStatus.SUCCEEDED, NOW - 60_000, null, "42 mails");

    assertThat(found.kinds())
        .containsExactly(FactKind.STATE, FactKind.NO_NEXT_FIRE, FactKind.ENDED);
    assertThat(found.facts().stream().map(fact -> fact.text()))
        .containsExactly(
            "One-shot job, accepted at 2026-03-02T09:50:00Z from client client-1; it has ended.",
            "No further run: a one-shot runs once, and this one has ended.",
            "It succeeded at 2026-03-02T09:59:00Z on worker worker-1, attempt 1; claimed 12"
                + " ms after it was due, ended 3.5 s later. Message: 42 mails");
  }

  @Test
  void endedWithAResult() {
    found
        .ended(KEY, LedgerStatus.SUCCEEDED, NOW - 60_000, null, null)
        .returning(1)
        .ended(KEY, LedgerStatus.SUCCEEDED, NOW, null, "42 mails")
        .returning(1_204);

    assertThat(found.texts(FactKind.ENDED))
        .containsExactly(
            "It succeeded at 2026-03-02T10:00:00Z on worker worker-1, attempt 1; claimed 12"
                + " ms after it was due, ended 3.5 s later. It returned 1,204 bytes, which millrace"
                + " result 101 prints. Message: 42 mails",
            "It succeeded at 2026-03-02T09:59:00Z on worker worker-1, attempt 1; claimed 12"
                + " ms after it was due, ended 3.5 s later. It returned 1 byte, which millrace"
                + " result 100 prints.");
  }

  @Test
  void eachEndIsToldInItsWords() {
    found
        .ended(KEY, LedgerStatus.FAILED, NOW, null, "no such customer")
        .ended(KEY, LedgerStatus.DEAD, NOW, Cause.of(CauseCode.ATTEMPTS_USED_UP), "boom")
        .ended(KEY, LedgerStatus.CANCELLED, NOW, Cause.of(CauseCode.REPLACED), null)
        .ended(KEY, LedgerStatus.POSTPONED, NOW, null, null)
        .ended(KEY, LedgerStatus.RETURNED, NOW, Cause.of(CauseCode.NOT_STARTED), null)
        .ended(KEY, LedgerStatus.RESCUED, NOW, Cause.of(CauseCode.WORKER_LOST), null);

    String pace = "; claimed 12 ms after it was due, ended 3.5 s later.";
    assertThat(found.texts(FactKind.ENDED))
        .containsExactly(
            "Attempt 1 of it was rescued at 2026-03-02T10:00:00Z on worker worker-1, because"
                + " the worker's lease had expired"
                + pace,
            "Attempt 1 of it was returned at 2026-03-02T10:00:00Z from worker worker-1, not"
                + " started by the worker"
                + pace,
            "Attempt 1 of it asked to run later at 2026-03-02T10:00:00Z on worker worker-1" + pace,
            "It was cancelled at 2026-03-02T10:00:00Z on worker worker-1, replaced" + pace,
            "It is DEAD since 2026-03-02T10:00:00Z, attempts used up on worker worker-1, attempt 1"
                + pace
                + " Message: boom",
            "It failed, as reported by the job, at 2026-03-02T10:00:00Z on worker worker-1,"
                + " attempt 1"
                + pace
                + " Message: no such customer");
  }

  @Test
  void whatCanBeDoneOrWasAboutADeadTriggerIsTold() {
    Settlement discarded = new Settlement(NOW, "operator/ann", null);
    Settlement replayed = new Settlement(NOW, "operator/bob", new Replay(77, 0));
    Settlement extra = new Settlement(NOW, "operator/bob", new Replay(78, 3));
    found
        .ended(KEY, LedgerStatus.DEAD, NOW - 4, Cause.of(CauseCode.ATTEMPTS_USED_UP), "boom")
        .kept(null)
        .ended(KEY, LedgerStatus.DEAD, NOW - 3, Cause.of(CauseCode.ATTEMPTS_USED_UP), null)
        .kept(discarded)
        .ended(KEY, LedgerStatus.DEAD, NOW - 2, Cause.of(CauseCode.ATTEMPTS_USED_UP), null)
        .kept(replayed)
        .ended(TriggerKey.planned("a", NOW - 1), LedgerStatus.DEAD, NOW - 1, null, null)
        .kept(extra);

    assertThat(found.texts(FactKind.ENDED))
        .satisfiesExactly(
            fact ->
                assertThat(fact)
                    .endsWith(
                        " It was replayed by operator/bob at 2026-03-02T10:00:00Z as extra run 3."),
            fact ->
                assertThat(fact)
                    .endsWith(
                        " It was replayed by operator/bob at 2026-03-02T10:00:00Z as one-shot 77."),
            fact ->
                assertThat(fact)
                    .endsWith(
                        " It was discarded by operator/ann at 2026-03-02T10:00:00Z, and can"
                            + " still be replayed."),
            fact ->
                assertThat(fact)
                    .endsWith(" It can be replayed as dead trigger 100. Message: boom"));
  }

  @Test
  void attemptThatWasToGoOnAndIsNowhereIsADefect() {
    found.ended(KEY, LedgerStatus.RETRIED, NOW - 5_000, null, null);

    assertThat(found.texts(FactKind.DEFECT))
        .containsExactly(
            "It should have continued when its attempt ended as RETRIED at"
                + " 2026-03-02T09:59:55Z, but it is neither waiting nor running.");
    assertThat(SampleFindings.WRITER.seemsTorn(found.read())).isTrue();
  }
}
