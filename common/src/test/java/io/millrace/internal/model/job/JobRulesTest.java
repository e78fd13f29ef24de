package io.millrace.internal.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RejectReason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobRulesTest {

  @ParameterizedTest
  @ValueSource(strings = {"#1", "#0", "#007", "#99999999999999999999"})
  void taskIdOfPartsIsNobodyElses(String taskId) {
    assertThat(JobRules.isReserved(taskId)).isTrue();
    assertThat(JobRules.checkKey("orders", taskId))
        .hasValueSatisfying(
            fault -> {
              assertThat(fault.reason()).isEqualTo(RejectReason.BAD_TASK_ID);
              assertThat(fault.message()).contains("parts of runs that were split");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"#", "1", "#a", "#1a", "# 1", "##1", "#-1", "#1.5", "x#1", "#\u0661"})
  void othersAreAllowed(String taskId) {
    assertThat(JobRules.isReserved(taskId)).isFalse();
    assertThat(JobRules.checkKey("orders", taskId)).isEmpty();
  }
}
