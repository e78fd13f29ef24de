package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Submits that relays send, of which copies may arrive late. */
class RelayedSubmitTest extends ServiceTest {
  private static final String RELAY = "shop/3";

  private static JobSubmission relayed(String submissionId, Job job, String relay, long epoch) {
    return new JobSubmission(submissionId, job).relayedBy(new RelayEpoch(relay, epoch));
  }

  private SubmitResult send(String submissionId, Job job, long epoch) {
    return tracker.submitAll(relayed(submissionId, job, RELAY, epoch)).get(0);
  }

  private Job close() {
    return job("close").at(inMillis(5_000)).build();
  }

  @Test
  void lateCopyOfASubmitThatWasADuplicateStoresNothing() {
    tracker.submit(close());
    assertThat(send("s-1", close(), 7).status()).isEqualTo(SubmitStatus.DUPLICATE);
    tracker.cancel("close");

    SubmitResult late = send("s-1", close(), 6);

    assertThat(late.reason()).isEqualTo(RejectReason.OUTDATED);
    assertThat(late.message()).contains("orders/close", "epoch 6", RELAY);
    assertThat(waiting("close")).isEmpty();
    assertThat(send("s-2", close(), 8)).isEqualTo(SubmitResult.accepted("close"));
  }

  @Test
  void lateCopyOfARecurringSubmitThatWasADuplicateStoresNothing() {
    Job poll = job("poll").every(Duration.ofMinutes(1)).build();
    tracker.submit(poll);
    assertThat(send("s-1", poll, 7).status()).isEqualTo(SubmitStatus.DUPLICATE);
    tracker.cancel("poll");

    assertThat(send("s-1", poll, 6).reason()).isEqualTo(RejectReason.OUTDATED);
    assertThat(waiting("poll")).isEmpty();
  }

  @Test
  void submitsAndCancelsOfARelayHaveOneSequence() {
    CompletableFuture<?> cancelled =
        tracker
            .jobs()
            .canceller()
            .cancel(
                HandDrivenTracker.CLIENT,
                new CancelRequest(HandDrivenTracker.GROUP, "close", new RelayEpoch(RELAY, 7)));
    time.run();
    assertThat(cancelled).isCompleted();

    assertThat(send("s-1", close(), 6).reason()).isEqualTo(RejectReason.OUTDATED);
    assertThat(send("s-1", close(), 8)).isEqualTo(SubmitResult.accepted("close"));
  }

  @Test
  void sameAttemptAndOtherRelaysAreNotRefused() {
    assertThat(
            tracker.submitAll(
                relayed("s-1", close(), RELAY, 7),
                relayed("s-2", job("other").build(), RELAY, 7),
                relayed("s-3", job("elsewhere").build(), "shop/4", 1),
                new JobSubmission("s-4", job("plain").build())))
        .extracting(SubmitResult::status)
        .containsOnly(SubmitStatus.ACCEPTED);
    assertThat(send("s-1", close(), 7)).isEqualTo(SubmitResult.accepted("close"));
    assertThat(waiting("close")).hasSize(1);
  }

  @Test
  void ofTwoAttemptsInOneTransactionTheLaterOneCounts() {
    assertThat(
            tracker.submitAll(relayed("s-1", close(), RELAY, 7), relayed("s-2", close(), RELAY, 8)))
        .extracting(SubmitResult::status)
        .containsExactly(SubmitStatus.REJECTED, SubmitStatus.ACCEPTED);
  }

  @Test
  void lateCopyOfASubmitThatHadOneNodeGroupTooManyStoresNothing() {
    for (int i = 1; i < HandDrivenTracker.MAX_NODE_GROUPS; i++) {
      tracker.submit(Job.builder("group-" + i, "close").build());
    }
    Job oneMore = Job.builder("one-more", "close").build();
    assertThat(send("s-1", oneMore, 7).reason()).isEqualTo(RejectReason.TOO_MANY_NODE_GROUPS);
    byHand("DELETE FROM jt_node_group WHERE name = 'group-1'");

    assertThat(send("s-1", oneMore, 6).reason()).isEqualTo(RejectReason.OUTDATED);
    assertThat(send("s-2", oneMore, 8).isStored()).isTrue();
  }

  /** These answers raise no epoch; what is stored after them does. */
  @Test
  void lateCopyOfASubmitThatWasNotStoredNeverMeetsTheJobAfterIt() {
    Job bad = job("close").cron("no cron").build();
    assertThat(send("s-1", bad, 7).reason()).isEqualTo(RejectReason.BAD_CRON);
    assertThat(send("s-1", bad, 6).reason())
        .as("a late copy is rejected by the same rule")
        .isEqualTo(RejectReason.BAD_CRON);
    fillWaiting();
    assertThat(send("s-2", close(), 8).reason()).isEqualTo(RejectReason.WAITING_FULL);
    tracker = anotherTracker();

    assertThat(send("s-2", close(), 9)).isEqualTo(SubmitResult.accepted("close"));
    tracker.cancel("close");

    assertThat(send("s-2", close(), 8).reason()).isEqualTo(RejectReason.OUTDATED);
    assertThat(send("s-1", close(), 7).reason()).isEqualTo(RejectReason.OUTDATED);
    assertThat(waiting("close")).isEmpty();
  }

  private void fillWaiting() {
    String large = "x".repeat(1_000_000);
    long most = HandDrivenTracker.QUOTAS.waitingBytesOfGroup() / large.length() + 1;
    for (int i = 0; i < most; i++) {
      tracker.submit(job("large-" + i).param("text", large).build());
    }
  }

  @Test
  void badNameOfARelayIsABadRequest() {
    for (String name : List.of(" ", "x".repeat(65), "a\u202eb")) {
      CompletableFuture<?> reply =
          tracker
              .jobs()
              .submitter()
              .submit(
                  HandDrivenTracker.CLIENT,
                  new SubmitRequest(List.of(relayed("s-1", close(), name, 1))));

      assertThatThrownBy(reply::join)
          .cause()
          .isInstanceOfSatisfying(
              RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST));
    }
  }
}
