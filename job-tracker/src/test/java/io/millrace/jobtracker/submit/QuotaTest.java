package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import org.junit.jupiter.api.Test;

class QuotaTest extends ServiceTest {
  private static final String MEGABYTE = "x".repeat(1_000_000);

  @Test
  void jobsAreRefusedForNowWhenAsMuchOfTheirGroupWaitsAsMay() {
    int stored = 0;
    SubmitResult last = submitLarge("orders", stored);
    while (last.isStored() && stored < 100) {
      stored++;
      last = submitLarge("orders", stored);
    }

    assertThat(last.reason()).isEqualTo(RejectReason.WAITING_FULL);
    assertThat(last.message())
        .startsWith("the waiting triggers of node group orders have ")
        .endsWith("which is the limit (waiting.max-bytes-of-group)");
    assertThat((long) stored)
        .isBetween(33L, (HandDrivenTracker.QUOTAS.waitingBytesOfGroup() >> 20) + 2);
    assertThat(tracker.submit(job("small").build()).reason()).isEqualTo(RejectReason.WAITING_FULL);
    assertThat(tracker.submit(Job.builder("other", "small").build()).isStored()).isTrue();
  }

  @Test
  void jobsOfAllGroupsTogetherAreBoundedToo() {
    for (int i = 0; i < 20; i++) {
      assertThat(submitLarge("a", i).isStored()).isTrue();
      assertThat(submitLarge("b", i).isStored()).isTrue();
    }
    SubmitResult last = submitLarge("c", 0);
    for (int i = 1; last.isStored() && i < 30; i++) {
      last = submitLarge("c", i);
    }

    assertThat(last.reason()).isEqualTo(RejectReason.WAITING_FULL);
    assertThat(last.message()).contains("of all node groups").endsWith("(waiting.max-bytes)");
  }

  private SubmitResult submitLarge(String group, int number) {
    return tracker.submit(Job.builder(group, "large-" + number).param("text", MEGABYTE).build());
  }
}
