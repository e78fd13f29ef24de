package io.millrace.internal.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.WorkerLossPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobRulesTest {

  @ParameterizedTest
  @ValueSource(strings = {"#1", "#0", "#007", "#99999999999999999999"})
  void taskIdOfPartsIsNobodyElses(String taskId) {
    assertThat(JobRules.isReserved(taskId)).isTrue();
    assertTaskIdRefused(taskId, "parts of runs that were split");
  }

  /** No browser sends them as part of an address. */
  @ParameterizedTest
  @ValueSource(strings = {".", ".."})
  void taskIdThatAnAddressCannotHoldIsRefused(String taskId) {
    assertTaskIdRefused(taskId, "must not be . or ..");
  }

  private static void assertTaskIdRefused(String taskId, String why) {
    assertThat(JobRules.checkKey("orders", taskId))
        .hasValueSatisfying(
            fault -> {
              assertThat(fault.reason()).isEqualTo(RejectReason.BAD_TASK_ID);
              assertThat(fault.message()).contains(why);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"#", "...", ".a", "1", "#a", "#1a", "# 1", "##1", "#-1", "#1.5", "x#1", "#\u0661"})
  void othersAreAllowed(String taskId) {
    assertThat(JobRules.isReserved(taskId)).isFalse();
    assertThat(JobRules.checkKey("orders", taskId)).isEmpty();
  }

  @Test
  void broadcastSaysAloneWhatThePartsAre() {
    assertThat(JobRules.check(job().broadcast().build())).isEmpty();
    assertThat(JobRules.check(job().broadcast().onWorkerLost(WorkerLossPolicy.DEAD).build()))
        .isEmpty();
    assertThat(
            JobRules.check(
                job().broadcast().reduce("sum").within(Duration.ofHours(1)).on("gpu").build()))
        .isEmpty();
    assertRefused(job().broadcast().shards(3), "broadcast and shards are not allowed together");
    assertRefused(job().broadcast().stickTo("k"), "broadcast and stickTo are not allowed together");
  }

  @Test
  void policyForLostWorkersIsThatOfABroadcast() {
    assertRefused(
        job().onWorkerLost(WorkerLossPolicy.SKIP), "onWorkerLost is allowed only with broadcast");
    assertRefused(
        job().broadcast().onWorkerLost(WorkerLossPolicy.UNKNOWN),
        "the policy for workers that are gone must be SKIP or DEAD");
  }

  private static Job.Builder job() {
    return Job.builder("orders", "reload");
  }

  private static void assertRefused(Job.Builder job, String why) {
    assertThat(JobRules.check(job.build()))
        .hasValueSatisfying(
            fault -> {
              assertThat(fault.reason()).isEqualTo(RejectReason.BAD_BROADCAST);
              assertThat(fault.message()).startsWith(why);
            });
  }
}
