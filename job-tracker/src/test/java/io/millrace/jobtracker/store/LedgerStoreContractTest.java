package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.ended;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.LedgerStore.Asked;
import io.millrace.jobtracker.store.LedgerStore.EndedParts;
import io.millrace.jobtracker.store.LedgerStore.SubmittedAs;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerStoreContractTest extends StoreContract {
  private LedgerStore store;

  @BeforeEach
  void takeStore() {
    store = stores.ledger();
  }

  private LedgerEntry withSubmission(String submissionId) {
    return ended(nextId(), nodeGroup, 77, "a", 5_000, LedgerStatus.SUCCEEDED, submissionId, "done");
  }

  private static LedgerEntry submittedAs(
      String submissionId, String nodeGroup, TriggerKey key, int jobVersion) {
    return new LedgerEntry(
        nextId(),
        nodeGroup,
        new TriggerCore(key, 77, jobVersion, 5_000, 1),
        LedgerStatus.SUCCEEDED,
        true,
        null,
        5_000,
        1,
        new Times(5_000, 4_000, 5_001L, 5_002L, 6_000),
        "worker-1",
        null,
        new Origin(null, submissionId, "client-1", null, null));
  }

  private LedgerEntry withMessage(String message) {
    return ended(nextId(), nodeGroup, 77, "a", 5_000, LedgerStatus.DEAD, "submission-1", message);
  }

  @Test
  void rowOfEachStatusComesBackAsItWasAppended() {
    List<LedgerEntry> rows =
        Arrays.stream(LedgerStatus.values())
            .map(status -> ended(nodeGroup, "task-" + status, status))
            .toList();

    store.append(rows);

    assertThat(store.find(rows.stream().map(LedgerEntry::id).toList()))
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void endsOfSubmissionsAreFoundAndNeitherAttemptsNorPlannedTriggersOfJobs() {
    LedgerEntry oneShot = submittedAs("s-1", nodeGroup, TriggerKey.oneShot("a"), 0);
    LedgerEntry extra = submittedAs("s-2", nodeGroup, TriggerKey.extra("b", 5_000, 1), 3);
    LedgerEntry planned = submittedAs("s-3", nodeGroup, TriggerKey.planned("c", 5_000), 3);
    LedgerEntry retried =
        ended(nextId(), nodeGroup, 78, "d", 5_000, LedgerStatus.RETRIED, "s-4", "boom");
    LedgerEntry other = submittedAs("s-5", nodeGroup, TriggerKey.oneShot("e"), 0);
    store.append(List.of(oneShot, extra, planned, retried, other));

    assertThat(store.findEnds(List.of("s-1", "s-2", "s-3", "s-4", "s-6")))
        .containsExactlyInAnyOrder(oneShot, extra);
    assertThat(store.findEnds(List.of())).isEmpty();
  }

  @Test
  void runOfInstantsThatNeverRanComesBackAsItWasAppended() {
    LedgerEntry row =
        new LedgerEntry(
            nextId(),
            nodeGroup,
            new TriggerCore(TriggerKey.planned("a", 5_000), 7, 2, 5_000, 0),
            LedgerStatus.SKIPPED,
            false,
            null,
            65_000,
            7,
            new Times(5_000, 4_000, null, null, 70_000),
            null,
            null,
            new Origin(null, null, null, null, null));

    store.append(List.of(row));

    assertThat(store.find(List.of(row.id(), nextId()))).containsExactly(row);
  }

  @Test
  void onlyDispositionsAreFinal() {
    store.append(
        List.of(
            ended(nodeGroup, "a", LedgerStatus.RETRIED), ended(nodeGroup, "a", LedgerStatus.DEAD)));

    assertThat(
            database.query(
                "SELECT status FROM jt_history WHERE is_final AND node_group = '"
                    + nodeGroup
                    + "'"))
        .containsExactly("DEAD");
  }

  @Test
  void executionEndsOnce() {
    LedgerEntry row = ended(nodeGroup, "a", LedgerStatus.SUCCEEDED);
    store.append(List.of(row));

    assertThatThrownBy(() -> store.append(List.of(ended(nodeGroup, "b", LedgerStatus.DEAD), row)))
        .isInstanceOf(DuplicateKeyException.class);
    assertThat(store.find(List.of(row.id()))).containsExactly(row);
  }

  @Test
  void messageIsCutWhereItFitsAndNeverInsideACharacter() {
    LedgerEntry fits = withMessage("🌾".repeat(2_000));
    LedgerEntry splits = withMessage("x" + "🌾".repeat(2_000));

    store.append(List.of(fits, splits));

    assertThat(store.find(List.of(fits.id())).get(0).message()).isEqualTo(fits.message());
    assertThat(store.find(List.of(splits.id())).get(0).message())
        .isEqualTo("x" + "🌾".repeat(1_999));
  }

  @Test
  void knowsTheSubmissionsItHasSeen() {
    store.append(List.of(withSubmission("known-1"), withSubmission("known-1")));
    store.append(List.of(withSubmission("known-2"), withSubmission(null)));

    assertThat(store.knownSubmissions(List.of("known-1", "known-2", "KNOWN-1", "unknown")).keySet())
        .containsExactlyInAnyOrder("known-1", "known-2");
    assertThat(store.knownSubmissions(List.of())).isEmpty();
  }

  @Test
  void knowsWhatASubmissionAskedFor() {
    TriggerKey oneShot = TriggerKey.oneShot("a");
    TriggerKey extra = TriggerKey.extra("b", 5_000, 1);
    store.append(
        List.of(
            submittedAs("asked-1", nodeGroup, oneShot, 0),
            submittedAs("asked-1", nodeGroup, oneShot, 0),
            submittedAs("asked-2", nodeGroup, TriggerKey.planned("b", 5_000), 3),
            submittedAs("asked-2", "other", TriggerKey.planned("B", 5_000), 3),
            submittedAs("asked-3", nodeGroup, extra, 3)));

    assertThat(store.knownSubmissions(List.of("asked-1", "asked-2", "asked-3")))
        .isEqualTo(
            Map.of(
                "asked-1", Set.of(new SubmittedAs(nodeGroup, "a", Asked.ONE_SHOT)),
                "asked-2",
                    Set.of(
                        new SubmittedAs(nodeGroup, "b", Asked.RECURRING_JOB),
                        new SubmittedAs("other", "B", Asked.RECURRING_JOB)),
                "asked-3", Set.of(new SubmittedAs(nodeGroup, "b", Asked.EXTRA_RUN))));
  }

  @Test
  void findsARowOfASubmission() {
    LedgerEntry row = withSubmission("known-3");
    store.append(List.of(row, withSubmission("known-4")));

    assertThat(store.findBySubmission("known-3")).contains(row);
    assertThat(store.findBySubmission("unknown")).isEmpty();
  }

  @Test
  void readsOnInOrderOfId() {
    List<LedgerEntry> rows =
        IntStream.range(0, 5).mapToObj(i -> ended(nodeGroup, "a", LedgerStatus.RETRIED)).toList();
    store.append(List.of(rows.get(4), rows.get(1), rows.get(0), rows.get(3), rows.get(2)));
    long before = rows.get(0).id() - 1;

    assertThat(store.readAfter(before, 3)).isEqualTo(rows.subList(0, 3));
    assertThat(store.readAfter(rows.get(2).id(), 3)).isEqualTo(rows.subList(3, 5));
  }

  @Test
  void readsEndsBetweenTwoIdsInOrderOfId() {
    List<LedgerEntry> rows =
        IntStream.range(0, 5).mapToObj(i -> ended(nodeGroup, "a", LedgerStatus.RETRIED)).toList();
    store.append(List.of(rows.get(4), rows.get(1), rows.get(0), rows.get(3), rows.get(2)));
    long first = rows.get(0).id();
    long last = rows.get(4).id();

    assertThat(store.readEnds(first - 1, last + 1, 2)).isEqualTo(ends(rows.subList(0, 2)));
    assertThat(store.readEnds(first, last, 10)).isEqualTo(ends(rows.subList(1, 4)));
    assertThat(store.readEnds(last, last + 1, 10)).isEmpty();
    assertThat(store.readEnds(last, first, 10)).isEmpty();
  }

  private static List<LedgerStore.Ended> ends(List<LedgerEntry> rows) {
    return rows.stream()
        .map(row -> new LedgerStore.Ended(row.id(), row.times().finishedAt()))
        .toList();
  }

  @Test
  void countsDownToTheRowSoManyRowsBelowAnId() {
    store.delete(store.readAfter(Long.MIN_VALUE, 10_000).stream().map(LedgerEntry::id).toList());
    List<LedgerEntry> rows =
        IntStream.range(0, 5).mapToObj(i -> ended(nodeGroup, "a", LedgerStatus.RETRIED)).toList();
    store.append(rows);
    long newest = rows.get(4).id();

    assertThat(store.idBelow(Long.MAX_VALUE, 1)).hasValue(newest);
    assertThat(store.idBelow(newest, 1)).hasValue(rows.get(3).id());
    assertThat(store.idBelow(newest, 4)).hasValue(rows.get(0).id());
    assertThat(store.idBelow(newest, 5)).isEmpty();
    assertThat(store.idBelow(rows.get(0).id(), 1)).isEmpty();
  }

  @Test
  void deletesTheRowsOfTheseIdsAndSaysHowManyThereWere() {
    List<LedgerEntry> rows =
        IntStream.range(0, 1_200)
            .mapToObj(i -> ended(nodeGroup, "a", LedgerStatus.RETRIED))
            .toList();
    store.append(rows);
    LedgerEntry kept = rows.get(700);
    List<Long> others =
        rows.stream().filter(row -> row != kept).map(LedgerEntry::id).collect(Collectors.toList());
    others.add(nextId());

    assertThat(store.delete(others)).isEqualTo(1_199);
    assertThat(store.delete(others)).isZero();
    assertThat(store.delete(List.of())).isZero();
    assertThat(store.readAfter(rows.get(0).id() - 1, 10)).containsExactly(kept);
  }

  @Test
  void submissionOfADeletedRowIsUnknown() {
    LedgerEntry row = withSubmission("forgotten");
    store.append(List.of(row));

    store.delete(List.of(row.id()));

    assertThat(store.knownSubmissions(List.of("forgotten"))).isEmpty();
  }

  @Test
  void readsAJobInOrderOfPlannedTimeAndId() {
    long job = nextId();
    LedgerEntry late = ofJob(job, 9_000);
    LedgerEntry first = ofJob(job, 5_000);
    LedgerEntry second = ofJob(job, 5_000);
    store.append(List.of(late, second, first, ofJob(nextId(), 5_000)));

    assertThat(store.findByJob(job)).containsExactly(first, second, late);
  }

  @Test
  void endsOfPartsAreCountedByTheirStatusAndRowsForSeveralByTheirNumber() {
    long batch = nextId();
    assertThat(store.countEndsOfParts(batch)).isEqualTo(PartEnds.NONE);
    store.append(
        List.of(
            part(batch, 1, LedgerStatus.RETRIED, 1),
            part(batch, 1, LedgerStatus.SUCCEEDED, 1),
            part(batch, 2, LedgerStatus.SUCCEEDED, 1),
            part(batch, 3, LedgerStatus.DEAD, 1),
            part(batch, 4, LedgerStatus.CANCELLED, 6),
            part(nextId(), 1, LedgerStatus.FAILED, 1)));

    assertThat(store.countEndsOfParts(batch)).isEqualTo(new PartEnds(2, 0, 1, 6, 0));
    assertThat(store.endsOfParts(batch, 10))
        .containsExactlyInAnyOrder(
            new EndedParts(1, 1, LedgerStatus.SUCCEEDED),
            new EndedParts(2, 1, LedgerStatus.SUCCEEDED),
            new EndedParts(3, 1, LedgerStatus.DEAD),
            new EndedParts(4, 6, LedgerStatus.CANCELLED));
    assertThat(store.endsOfParts(batch, 3)).hasSize(3);
  }

  private LedgerEntry part(long batchId, int number, LedgerStatus status, int parts) {
    return new LedgerEntry(
        nextId(),
        nodeGroup,
        new TriggerCore(new PartKey(batchId, number).trigger(), batchId, 0, 5_000, 1),
        status,
        false,
        null,
        5_000,
        parts,
        new Times(5_000, 4_000, null, null, 70_000),
        null,
        null,
        new Origin(null, null, null, null, null));
  }

  @Test
  void latestPlannedInstantIsThatOfTheScheduleAndMayEndARun() {
    long job = nextId();
    assertThat(store.latestPlanned(job, Long.MAX_VALUE)).isEmpty();

    store.append(List.of(ofJob(job, 5_000), run(job, 6_000, 8_000, 0), run(job, 7_000, 7_000, 1)));
    store.append(List.of(ofJob(job, 9_000), ofJob(nextId(), 9_500)));

    assertThat(store.latestPlanned(job, 4_999)).isEmpty();
    assertThat(store.latestPlanned(job, 5_000)).hasValue(5_000);
    assertThat(store.latestPlanned(job, 7_500)).as("the extra run does not count").hasValue(8_000);
    assertThat(store.latestPlanned(job, 8_999)).hasValue(8_000);
    assertThat(store.latestPlanned(job, 9_999)).hasValue(9_000);
  }

  private LedgerEntry run(long jobId, long from, long to, int ordinal) {
    return new LedgerEntry(
        nextId(),
        nodeGroup,
        new TriggerCore(new TriggerKey("a", from, ordinal), jobId, 2, from, 0),
        LedgerStatus.SKIPPED,
        false,
        null,
        to,
        2,
        new Times(from, 4_000, null, null, 70_000),
        null,
        null,
        new Origin(null, null, null, null, null));
  }

  private LedgerEntry ofJob(long jobId, long plannedFor) {
    return ended(
        nextId(), nodeGroup, jobId, "a", plannedFor, LedgerStatus.RETRIED, "submission-1", null);
  }

  @Test
  void readsTheLatestRowsOfAJobLatestFirst() {
    long job = nextId();
    LedgerEntry first = ofJob(job, 5_000);
    LedgerEntry second = ofJob(job, 5_000);
    LedgerEntry late = ofJob(job, 9_000);
    LedgerEntry latest = ofJob(job, 9_001);
    store.append(List.of(late, second, first, latest, ofJob(nextId(), 9_000)));

    assertThat(store.findLatest(job, 0, 9_000, 10)).containsExactly(late, second, first);
    assertThat(store.findLatest(job, 5_000, 5_000, 1)).containsExactly(second);
    assertThat(store.findLatest(job, 5_001, 8_999, 10)).isEmpty();
  }

  @Test
  void beginningsOfMessagesAreReadWithoutTheirRest() {
    LedgerEntry longer = withMessage("boom\n" + "x".repeat(3_000));
    LedgerEntry shorter = withMessage("no");
    LedgerEntry silent = endOf(77, 5_000, LedgerStatus.DEAD);
    store.append(List.of(longer, shorter, silent));

    assertThat(
            store.beginningsOfMessages(
                List.of(longer.id(), shorter.id(), silent.id(), nextId()), 6))
        .isEqualTo(Map.of(longer.id(), "boom\nx", shorter.id(), "no"));
    assertThat(store.beginningsOfMessages(List.of(), 6)).isEmpty();
  }

  private LedgerEntry endOf(long jobId, long plannedFor, LedgerStatus status) {
    return ended(nextId(), nodeGroup, jobId, "a", plannedFor, status, "submission-1", null);
  }

  private static LedgerStore.RunEnd endIn(LedgerEntry row) {
    return new LedgerStore.RunEnd(
        row.id(),
        row.jobId(),
        row.status(),
        row.attempt(),
        row.plannedFor(),
        row.times().dueAt(),
        row.times().startedAt(),
        row.times().finishedAt());
  }

  @Test
  void latestEndsOfJobsAreReadLatestFirstWithoutAttemptsThatGoOn() {
    long one = nextId();
    long other = nextId();
    LedgerEntry oldest = endOf(one, 4_000, LedgerStatus.SUCCEEDED);
    LedgerEntry first = endOf(one, 5_000, LedgerStatus.FAILED);
    LedgerEntry retried = endOf(one, 6_000, LedgerStatus.RETRIED);
    LedgerEntry dead = endOf(one, 6_000, LedgerStatus.DEAD);
    LedgerEntry late = endOf(one, 7_000, LedgerStatus.SKIPPED);
    LedgerEntry cancelled = endOf(other, 1_000, LedgerStatus.CANCELLED);
    store.append(List.of(late, dead, first, cancelled, retried, oldest));
    store.append(List.of(endOf(nextId(), 9_000, LedgerStatus.SUCCEEDED)));

    assertThat(store.findLatestEnds(List.of(one, other, nextId(), one), 3, 10))
        .isEqualTo(
            Map.of(
                one,
                List.of(endIn(late), endIn(dead), endIn(first)),
                other,
                List.of(endIn(cancelled))));
    assertThat(store.findLatestEnds(List.of(), 3, 10)).isEmpty();
  }

  @Test
  void latestEndsAreLookedForInNoMoreRowsThanAllowed() {
    long job = nextId();
    LedgerEntry ended = endOf(job, 5_000, LedgerStatus.SUCCEEDED);
    store.append(List.of(ended, ofJob(job, 6_000), ofJob(job, 7_000)));

    assertThat(store.findLatestEnds(List.of(job), 3, 2)).isEmpty();
    assertThat(store.findLatestEnds(List.of(job), 3, 3).get(job)).containsExactly(endIn(ended));
  }

  @Test
  void latestEndsOfMoreJobsThanOneStatementNamesAreRead() {
    List<LedgerEntry> ends =
        IntStream.range(0, 250)
            .mapToObj(i -> endOf(nextId(), 5_000, LedgerStatus.SUCCEEDED))
            .toList();
    store.append(ends);

    assertThat(store.findLatestEnds(ends.stream().map(LedgerEntry::jobId).toList(), 20, 60))
        .hasSize(250);
  }

  @Test
  void searchFindsTheLatestOneShotOfATaskId() {
    long before = nextId();
    long job = nextId();
    store.append(List.of(ofOneShot(before, "x"), ofOneShot(job, "x"), ofOneShot(nextId(), "y")));
    store.append(List.of(ofOneShot(job, "x"), ofJobNamed(nextId(), "x")));

    assertThat(store.searchOneShot(nodeGroup, "x", 1_000).jobId()).isEqualTo(job);
    assertThat(store.searchOneShot("another", "x", 1_000).jobId()).isNull();
  }

  @Test
  void searchSaysHowFarItHasLooked() {
    database.execute("DELETE FROM jt_history");
    assertThat(store.searchOneShot(nodeGroup, "x", 1_000))
        .isEqualTo(new LedgerStore.OneShotSearch(null, 0, null));
    store.append(List.of(ofOneShot(nextId(), "x"), ofJob(7, 5_000), ofJob(7, 5_000)));

    assertThat(store.searchOneShot(nodeGroup, "x", 2))
        .as("not far enough")
        .isEqualTo(new LedgerStore.OneShotSearch(null, 2, 5_003L));
    assertThat(store.searchOneShot(nodeGroup, "none", 1_000))
        .as("through the whole ledger")
        .isEqualTo(new LedgerStore.OneShotSearch(null, 3, null));
  }

  private LedgerEntry ofOneShot(long jobId, String taskId) {
    LedgerEntry row = ofJobNamed(jobId, taskId);
    return new LedgerEntry(
        row.id(),
        row.nodeGroup(),
        new TriggerCore(
            TriggerKey.oneShot(taskId), row.jobId(), 0, row.plannedFor(), row.attempt()),
        row.status(),
        row.reported(),
        row.cause(),
        row.plannedTo(),
        row.instants(),
        new Times(
            row.times().dueAt(),
            row.times().generatedAt(),
            row.times().claimedAt(),
            row.times().startedAt(),
            row.times().finishedAt()),
        row.workerId(),
        row.message(),
        new Origin(
            row.origin().handler(),
            row.origin().submissionId(),
            row.origin().submittedBy(),
            null,
            null));
  }

  private LedgerEntry ofJobNamed(long jobId, String taskId) {
    return ended(
        nextId(), nodeGroup, jobId, taskId, 5_000, LedgerStatus.RETRIED, "submission-1", null);
  }

  @Test
  void knowsTheTriggersOfAJobThatHaveTheirDisposition() {
    long job = nextId();
    store.append(
        List.of(
            ofJob(job, 5_000, LedgerStatus.SUCCEEDED),
            ofJob(job, 6_000, LedgerStatus.RETRIED),
            ofJob(job, 6_000, LedgerStatus.DEAD),
            ofJob(job, 7_000, LedgerStatus.RESCUED),
            ofJob(job, 8_000, LedgerStatus.SKIPPED),
            ofJob(job, 9_000, LedgerStatus.SKIPPED),
            ofJob(nextId(), 7_000, LedgerStatus.SUCCEEDED)));

    assertThat(store.endedTriggers(job, 5_000, 8_000))
        .containsExactlyInAnyOrder(TriggerKey.planned("a", 6_000), TriggerKey.planned("a", 8_000));
    assertThat(store.endedTriggers(job, 6_000, 7_000)).isEmpty();
  }

  private LedgerEntry ofJob(long jobId, long plannedFor, LedgerStatus status) {
    return ended(nextId(), nodeGroup, jobId, "a", plannedFor, status, "submission-1", null);
  }
}
