package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.CLIENT;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.JobEdit;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.job.JobVersion.Source;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every definition of a recurring job is recorded, with the one who stored it. */
class JobVersionsTest extends ServiceTest {
  private static final Peer OPERATOR = new Peer(NodeRole.CLIENT, "operator/ann", "", "10.0.0.9");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private int declarations;

  private static Job each(String taskId, int minutes) {
    return job(taskId).every(MINUTE.multipliedBy(minutes)).replaceExisting(true).build();
  }

  private List<JobVersion> versions(String taskId) {
    return stores.versions().list(definition(taskId).id(), Integer.MAX_VALUE, 1_000);
  }

  /** Each version with its source, what it came from, and its schedule; latest first. */
  private List<String> told(String taskId) {
    return versions(taskId).stream()
        .map(
            row ->
                row.version()
                    + " "
                    + row.author().source()
                    + " "
                    + row.author().name()
                    + " "
                    + (row.definition() == null
                        ? "cancelled"
                        : row.definition().schedule() + " " + row.definition().priority()))
        .toList();
  }

  private static String every(int minutes) {
    return each("any", minutes).schedule() + " 100";
  }

  private DeclareReply declare(Job... jobs) {
    DeclareRequest request =
        new DeclareRequest(
            "declaration-" + ++declarations,
            "billing",
            null,
            0,
            true,
            true,
            true,
            false,
            List.of(jobs));
    CompletableFuture<DeclareReply> reply = tracker.jobs().declarer().declare(CLIENT, request);
    time.run();
    return reply.join();
  }

  @Test
  void submitsAndEditsAreVersionsOfTheirSenders() {
    tracker.submit(each("a", 3));
    time.pass(MINUTE);
    tracker.submit(each("a", 4));
    tracker.edit(job("a").every(MINUTE.multipliedBy(4)).priority(7).build(), new JobEdit(null, 2));
    tracker.submitAs(OPERATOR, each("a", 5));

    assertThat(told("a"))
        .containsExactly(
            "4 OPERATOR ann " + every(5),
            "3 CLIENT shop/client-1 " + every(4).replace(" 100", " 7"),
            "2 CLIENT shop/client-1 " + every(4),
            "1 CLIENT shop/client-1 " + every(3));
    JobVersion latest = versions("a").get(0);
    assertThat(latest.storedAt()).isEqualTo(time.millis());
    assertThat(latest.author().address()).isEqualTo("10.0.0.9");
    assertThat(latest.submissionId()).isEqualTo(definition("a").spec().submissionId());
    assertThat(latest.definition().spec()).isEqualTo(definition("a").spec());
  }

  /** A client on the network cannot be recorded as an operator. */
  @Test
  void clientWithTheNameOfAnOperatorIsAClient() {
    tracker.submitAs(
        new Peer(NodeRole.CLIENT, "operator/ann", "", "10.0.0.9", null, 17), each("a", 3));

    assertThat(told("a")).containsExactly("1 CLIENT operator/ann " + every(3));
  }

  @Test
  void resendsPausesAndOneShotsAreNoVersions() {
    tracker.submit("s-1", each("a", 3));
    tracker.submit("s-1", each("a", 3));
    tracker.pause("a", "stocktaking");
    tracker.resume("a");
    tracker.runNow("a");
    tracker.submit(job("once").at(inMillis(5_000)).build());
    tracker.cancel("once");

    assertThat(told("a")).containsExactly("1 CLIENT shop/client-1 " + every(3));
    assertThat(stores.versions().deleteBefore(Long.MAX_VALUE, 10)).isEqualTo(1);
  }

  @Test
  void cancelIsAVersionWithoutADefinition() {
    tracker.submit(each("a", 3));
    tracker.jobs().canceller().cancel(OPERATOR, new CancelRequest(GROUP, "a"));
    time.run();
    tracker.submit(each("a", 4));
    tracker.submit(job("a").at(inMillis(5_000)).replaceExisting(true).build());

    assertThat(told("a"))
        .containsExactly(
            "4 CLIENT shop/client-1 cancelled",
            "3 CLIENT shop/client-1 " + every(4),
            "2 OPERATOR ann cancelled",
            "1 CLIENT shop/client-1 " + every(3));
  }

  @Test
  void declaredVersionsAreThoseOfTheOwner() {
    declare(each("a", 3), each("b", 3));
    declare(each("a", 3), each("b", 4));
    declare(each("b", 4));

    assertThat(told("a"))
        .containsExactly("2 DECLARED billing cancelled", "1 DECLARED billing " + every(3));
    assertThat(told("b"))
        .containsExactly("2 DECLARED billing " + every(4), "1 DECLARED billing " + every(3));
  }

  @Test
  void manyNewJobsAreRecordedTogether() {
    Job[] jobs = IntStream.range(0, 250).mapToObj(i -> each("a-" + i, 3)).toArray(Job[]::new);

    declare(jobs);
    tracker.submit(Stream.of(jobs).map(job -> each(job.taskId(), 4)).toArray(Job[]::new));

    for (Job job : List.of(jobs[0], jobs[249])) {
      assertThat(told(job.taskId()))
          .containsExactly("2 CLIENT shop/client-1 " + every(4), "1 DECLARED billing " + every(3));
    }
  }

  /** As in an upgrade, while a tracker of the version before stores a definition. */
  @Test
  void versionThatWasNotRecordedIsAddedWithTheNext() {
    tracker.submit(each("a", 3));
    tracker.submit(each("a", 4));
    byHand("DELETE FROM jt_job_version WHERE version = 2");
    tracker.pause("a");
    time.pass(MINUTE);

    tracker.submit(each("a", 5));

    assertThat(told("a"))
        .containsExactly(
            "4 CLIENT shop/client-1 " + every(5),
            "3 UNRECORDED client-1 " + every(4),
            "1 CLIENT shop/client-1 " + every(3));
    assertThat(versions("a").get(1).storedAt()).isEqualTo(time.millis());

    byHand("DELETE FROM jt_job_version");
    tracker.cancel("a");
    assertThat(told("a"))
        .containsExactly("5 CLIENT shop/client-1 cancelled", "4 UNRECORDED client-1 " + every(5));
  }

  @Test
  void onlyTheLatestVersionsAreKept() {
    IntStream.rangeClosed(0, JobVersion.KEPT).forEach(i -> tracker.submit(each("a", 1 + i % 2)));

    assertThat(versions("a")).hasSize(JobVersion.KEPT);
    assertThat(versions("a").get(JobVersion.KEPT - 1).version()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"COMMITTED_IN_SILENCE", "ROLLED_BACK_IN_SILENCE"})
  void versionIsStoredOnceWithItsJob(Fault fault) {
    tracker.submit(each("a", 3));
    FaultyTransactions faulty = new FaultyTransactions(stores.transactions());
    HandDrivenTracker other =
        new HandDrivenTracker(2, stores.with(Transactions.class, real -> faulty), time);
    faulty.failNext(fault);

    assertThat(other.submit(each("a", 4)).isStored()).isTrue();

    assertThat(told("a")).hasSize(2);
    assertThat(definition("a").version()).isEqualTo(2);
  }

  @Test
  void trackersThatEditOneJobStoreDistinctVersions() {
    HandDrivenTracker other = anotherTracker();
    tracker.submit(each("a", 3));
    JobDefinition first = definition("a");
    JobEdit edit = new JobEdit(first.id(), first.version());

    assertThat(tracker.edit(each("a", 4), edit).status()).isEqualTo(SubmitStatus.REPLACED);
    assertThat(other.edit(each("a", 5), edit).status()).isEqualTo(SubmitStatus.REJECTED);
    assertThat(other.edit(each("a", 5), new JobEdit(null, null)).status())
        .isEqualTo(SubmitStatus.REPLACED);

    assertThat(versions("a")).extracting(JobVersion::version).containsExactly(3, 2, 1);
    assertThat(versions("a"))
        .extracting(JobVersion::author)
        .containsOnly(new Author(Source.CLIENT, "shop/client-1", "local"));
  }
}
