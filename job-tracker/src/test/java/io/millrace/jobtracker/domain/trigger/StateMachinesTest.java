package io.millrace.jobtracker.domain.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerState;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every pair of states, legal or not. */
class StateMachinesTest {

  @ParameterizedTest
  @CsvSource({
    "WAITING,   EXECUTING BATCH DEAD CANCELLED SKIPPED",
    "EXECUTING, WAITING BATCH SUCCEEDED FAILED DEAD CANCELLED SKIPPED",
    "BATCH,     SUCCEEDED FAILED DEAD CANCELLED",
    "SUCCEEDED, ''",
    "FAILED,    ''",
    "DEAD,      ''",
    "CANCELLED, ''",
    "SKIPPED,   ''"
  })
  void triggerGoesToTheseStatesAndToNoOthers(TriggerState from, String next) {
    for (TriggerState to : TriggerState.values()) {
      if (words(next).contains(to.name())) {
        assertThat(from.to(to, "orders/close")).isEqualTo(to);
      } else {
        assertThatThrownBy(() -> from.to(to, "orders/close"))
            .isInstanceOf(IllegalTransitionException.class)
            .hasMessage("trigger orders/close cannot go from %s to %s", from, to);
      }
    }
    assertThat(from.isEnd()).isEqualTo(words(next).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    PAUSED FINISHED CANCELLED, true",
    "PAUSED,    ACTIVE CANCELLED,          true",
    "FINISHED,  ACTIVE,                    false",
    "CANCELLED, ACTIVE,                    false"
  })
  void jobGoesToTheseStatesAndToNoOthers(JobState from, String next, boolean live) {
    for (JobState to : JobState.values()) {
      if (words(next).contains(to.name())) {
        assertThat(from.to(to, 42)).isEqualTo(to);
      } else {
        assertThatThrownBy(() -> from.to(to, 42))
            .isInstanceOf(IllegalTransitionException.class)
            .hasMessage("job 42 cannot go from %s to %s", from, to);
      }
    }
    assertThat(from.isLive()).isEqualTo(live);
  }

  @ParameterizedTest
  @CsvSource({
    "STAGED,   OPEN ENDED,     false",
    "OPEN,     STOPPING ENDED, true",
    "STOPPING, ENDED,          true",
    "ENDED,    '',             false"
  })
  void batchGoesToTheseStatesAndToNoOthers(BatchState from, String next, boolean underWay) {
    for (BatchState to : BatchState.values()) {
      if (words(next).contains(to.name())) {
        assertThat(from.to(to, 42)).isEqualTo(to);
      } else {
        assertThatThrownBy(() -> from.to(to, 42))
            .isInstanceOf(IllegalTransitionException.class)
            .hasMessage("batch 42 cannot go from %s to %s", from, to);
      }
    }
    assertThat(from.isUnderWay()).isEqualTo(underWay);
  }

  @ParameterizedTest
  @EnumSource(LedgerStatus.class)
  void endIsFinalIfAndOnlyIfItLeavesTheTriggerInAnEndState(LedgerStatus status) {
    TriggerState after = TriggerState.after(status);

    assertThat(status.isFinal()).isEqualTo(after.isEnd());
    assertThat(status.disposition() == null).isEqualTo(after == TriggerState.WAITING);
    if (status.disposition() != null) {
      assertThat(status.disposition().name()).isEqualTo(after.name());
    }
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(" "));
  }
}
