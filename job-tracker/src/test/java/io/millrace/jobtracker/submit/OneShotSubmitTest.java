package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneShotSubmitTest extends ServiceTest {
  /** An operator or its owner has removed it; the tracker, which knew it, makes it again. */
  @Test
  void nodeGroupThatWasRemovedComesBackAtOnce() {
    tracker.submit(job("before").build());
    byHand("DELETE FROM jt_node_group");
    byHand("DROP TABLE jt_waiting_orders");

    assertThat(tracker.submit(job("close").build())).isEqualTo(SubmitResult.accepted("close"));

    assertThat(waiting("close")).hasSize(1);
    assertThat(waiting("before")).isEmpty();
  }

  /** It is about to be dropped, or that was cut short. */
  @Test
  void submitWhileTheTableIsSetAsideIsToBeSentAgain() {
    tracker.submit(job("before").build());
    byHand("ALTER TABLE jt_waiting_orders RENAME TO jt_unused_orders");

    assertThat(tracker.submit(job("close").build()).reason()).isEqualTo(RejectReason.UNAVAILABLE);

    byHand("ALTER TABLE jt_unused_orders RENAME TO jt_waiting_orders");
    assertThat(tracker.submit(job("close").build())).isEqualTo(SubmitResult.accepted("close"));
    assertThat(waiting("before")).hasSize(1);
  }

  @Test
  void oneShotWaitsForItsInstant() {
    SubmitResult result = tracker.submit(job("close").at(inMillis(90_000)).build());

    assertThat(result).isEqualTo(SubmitResult.accepted("close"));
    WaitingTrigger row = onlyRow("close");
    assertThat(row.key()).isEqualTo(TriggerKey.oneShot("close"));
    assertThat(row.dueAt()).isEqualTo(time.millis() + 90_000);
    assertThat(row.plannedFor()).isEqualTo(row.dueAt());
    assertThat(row.jobId()).as("a one-shot is its own job").isEqualTo(row.id());
  }

  @Test
  void delayCountsFromTheAcceptance() {
    time.pass(Duration.ofMinutes(3));
    tracker.submit(job("close").after(Duration.ofSeconds(20)).build());

    assertThat(onlyRow("close").dueAt()).isEqualTo(time.millis() + 20_000);
  }

  @Test
  void jobWithoutAScheduleIsDueNow() {
    tracker.submit(job("close").build());

    assertThat(onlyRow("close").dueAt()).isEqualTo(time.millis());
  }

  @Test
  void instantThatIsPastIsDueAtOnceAndKeepsItsName() {
    tracker.submit(job("close").at(inMillis(-60_000)).build());

    Assignment assignment = tracker.worker("worker-1").takeOne();

    assertThat(assignment.plannedFor()).isEqualTo(inMillis(-60_000));
  }

  @Test
  void everythingTheJobSaysReachesItsWorker() {
    tracker.submit(
        Job.builder(GROUP, "close")
            .param("orderId", "42")
            .param("text", "größer \uD83D\uDE00 \"quoted\"\n")
            .handler("closer")
            .retry(4)
            .build());

    Assignment assignment = tracker.worker("worker-1").takeOne();

    assertThat(assignment.taskId()).isEqualTo("close");
    assertThat(assignment.nodeGroup()).isEqualTo(GROUP);
    assertThat(assignment.handler()).isEqualTo("closer");
    assertThat(assignment.attempt()).isEqualTo(1);
    assertThat(assignment.maxAttempts()).isEqualTo(5);
    assertThat(assignment.params())
        .containsOnly(
            java.util.Map.entry("orderId", "42"),
            java.util.Map.entry("text", "größer \uD83D\uDE00 \"quoted\"\n"));
  }

  @Test
  void whoSubmittedIsWhatTheConnectionSays() {
    tracker.submit("submission-7", job("close").feedback(true).priority(3).build());

    WaitingTrigger row = onlyRow("close");
    assertThat(row.priority()).isEqualTo(3);
    assertThat(row.spec())
        .isEqualTo(
            new TriggerSpec(
                null, RetryPolicy.DEFAULT, false, true, "shop", "submission-7", "client-1"));
  }

  @Test
  void hintSaysWhenTheEarliestOfTheBatchFallsDue() {
    tracker.submit(
        job("late").at(inMillis(9_000)).build(),
        job("early").at(inMillis(4_000)).build(),
        job("between").at(inMillis(5_000)).build());

    assertThat(tracker.signals().triggersDue()).containsExactly(time.millis() + 4_000);
  }

  @Test
  void sameTaskIdWhileItWaitsIsADuplicateAndChangesNothing() {
    tracker.submit(job("close").at(inMillis(5_000)).build());
    WaitingTrigger before = onlyRow("close");

    SubmitResult result = tracker.submit(job("close").at(inMillis(9_000)).build());

    assertThat(result.message()).isEqualTo("a one-shot of this task id is waiting");
    assertThat(onlyRow("close")).isEqualTo(before);
    assertThat(ledger("close")).isEmpty();
  }

  @Test
  void sameTaskIdWhileItExecutesIsADuplicateAndSaysWhy() {
    tracker.submit(job("close").build());
    Assignment running = tracker.worker("worker-1").takeOne();

    for (boolean replace : new boolean[] {false, true}) {
      SubmitResult result = tracker.submit(job("close").replaceExisting(replace).build());

      assertThat(result.status()).isEqualTo(SubmitStatus.DUPLICATE);
      assertThat(result.message())
          .isEqualTo(
              "execution "
                  + running.executionId()
                  + " of this task id is running and cannot be replaced");
      assertThat(waiting("close")).isEmpty();
      assertThat(executing("close")).hasSize(1);
    }
  }

  @Test
  void taskIdIsFreeAgainOnceItsJobIsDone() {
    HandDrivenWorker worker = tracker.worker("worker-1");
    tracker.submit(job("close").build());
    worker.succeed(worker.takeOne());

    assertThat(tracker.submit(job("close").build()).status()).isEqualTo(SubmitStatus.ACCEPTED);
    worker.succeed(worker.takeOne());
    assertThat(ends("close")).containsExactly("SUCCEEDED", "SUCCEEDED");
  }

  @Test
  void sameTaskIdTwiceInOneBatchIsOneJob() {
    List<SubmitResult> results =
        tracker.submit(
            job("close").param("n", "1").build(),
            job("open").build(),
            job("close").param("n", "2").build(),
            job("close").param("n", "3").replaceExisting(true).build());

    assertThat(results)
        .extracting(SubmitResult::status)
        .containsExactly(
            SubmitStatus.ACCEPTED,
            SubmitStatus.ACCEPTED,
            SubmitStatus.DUPLICATE,
            SubmitStatus.REPLACED);
    assertThat(onlyRow("close").params().json()).contains("\"n\":\"3\"");
  }

  @Test
  void eachJobOfABatchIsJudgedAlone() {
    List<SubmitResult> results =
        tracker.submit(
            job("good").build(),
            job("").build(),
            job("bad-priority").priority(256).build(),
            job("also-good").build());

    assertThat(results)
        .extracting(SubmitResult::reason)
        .containsExactly(null, RejectReason.EMPTY_TASK_ID, RejectReason.BAD_PRIORITY, null);
    assertThat(results)
        .extracting(SubmitResult::taskId)
        .containsExactly("good", "", "bad-priority", "also-good");
    assertThat(waiting("good")).hasSize(1);
    assertThat(waiting("also-good")).hasSize(1);
  }

  @Test
  void taskIdsAreCaseSensitiveAndOfTheirNodeGroup() {
    assertThat(
            tracker.submit(
                job("close").build(),
                job("CLOSE").build(),
                Job.builder("billing", "close").build()))
        .allSatisfy(result -> assertThat(result.status()).isEqualTo(SubmitStatus.ACCEPTED));

    assertThat(waiting("close")).hasSize(1);
    assertThat(stores.waiting().findByTask("billing", "close")).hasSize(1);
  }

  @Test
  void nodeGroupIsMadeByItsFirstJobAndAnnouncedOnce() {
    tracker.submit(Job.builder("New.Group-1", "a").build());
    tracker.submit(Job.builder("New.Group-1", "b").build());

    assertThat(stores.nodeGroups().find("New.Group-1")).isPresent();
    assertThat(tracker.signals().nodeGroups()).containsExactly("New.Group-1");
  }

  @Test
  void ofTwoTrackersThatTakeInTheSameTaskIdOneWins() {
    assertThat(List.of(tracker, anotherTracker()))
        .extracting(each -> each.submit(job("close").build()).status())
        .containsExactly(SubmitStatus.ACCEPTED, SubmitStatus.DUPLICATE);
    assertThat(waiting("close")).hasSize(1);
  }

  private WaitingTrigger onlyRow(String taskId) {
    assertThat(waiting(taskId)).hasSize(1);
    return stores.waiting().findOneShots(GROUP, List.of(taskId)).get(0);
  }
}
