package io.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.api.DeclareResult.Status;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeclarationTest {
  private static Job.Builder job(String taskId) {
    return Job.builder("orders", taskId);
  }

  @Test
  void whatIsNotSetIsOff() {
    Declaration plain = Declaration.builder().owner("shop").build();

    assertThat(plain).isEqualTo(new Declaration("shop", null, List.of(), false, false, false));
  }

  @Test
  void jobsOfSeveralCallsAreOneSet() {
    Job one = job("one").every(Duration.ofMinutes(1)).build();
    Job two = job("two").cron("@daily").build();
    Job three = job("three").fixedDelay(Duration.ofMinutes(1)).build();

    Declaration set =
        Declaration.builder().owner("shop").jobs(List.of(one)).jobs(List.of(two, three)).build();

    assertThat(set.jobs()).containsExactly(one, two, three);
  }

  @Test
  void ownerIsRequired() {
    assertThatThrownBy(() -> Declaration.builder().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("owner");
    assertThatThrownBy(() -> Declaration.builder().owner(" ").build())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Declaration.builder().owner("x".repeat(129)).build())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void oneShotIsRefusedByName() {
    Job once = job("once").build();

    assertThatThrownBy(() -> Declaration.builder().owner("shop").jobs(List.of(once)).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("orders/once")
        .hasMessageContaining("only once");
  }

  @Test
  void keyThatOccursTwiceIsRefusedByName() {
    List<Job> twice = List.of(job("a").cron("@daily").build(), job("a").cron("@hourly").build());

    assertThatThrownBy(() -> Declaration.builder().owner("shop").jobs(twice).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("orders/a is declared twice");
  }

  @ParameterizedTest
  @EnumSource(Change.class)
  void resultIsCompleteIfEachJobIsAsDeclared(Change change) {
    List<JobResult> jobs = List.of(new JobResult("orders", "a", change, null, null));

    assertThat(new DeclareResult(Status.DONE, null, jobs).isComplete())
        .isEqualTo(change != Change.CONFLICT && change != Change.REJECTED);
    assertThat(new DeclareResult(Status.OUTDATED, null, jobs).isComplete()).isFalse();
  }
}
