package io.millrace.jobtracker.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentExecutionsTest {
  private static final TriggerSpec SPEC =
      new TriggerSpec(null, RetryPolicy.DEFAULT, false, false, "shop", "s-1", "client-1");

  private final RecentExecutions recent = new RecentExecutions();

  private static Execution execution(long id) {
    return new Execution(
        id,
        "orders",
        new TriggerCore(TriggerKey.oneShot("task-" + id), id, 0, 0, 1),
        0,
        100,
        0,
        SPEC,
        StoredParams.NONE,
        "worker-1",
        0,
        false,
        false,
        null);
  }

  @Test
  void theOldestAreForgottenWhenThereAreTooMany() {
    for (long id = 1; id <= RecentExecutions.MOST + 2; id++) {
      recent.remember(List.of(execution(id)));
    }

    assertThat(recent.recall(List.of(1L, 2L, 3L))).extracting(Execution::id).containsExactly(3L);
    List<Long> all = LongStream.rangeClosed(1, RecentExecutions.MOST + 2).boxed().toList();
    assertThat(recent.recall(all)).hasSize(RecentExecutions.MOST);
  }

  @Test
  void forgetsThoseItIsToldTo() {
    recent.remember(List.of(execution(1), execution(2)));

    recent.forget(List.of(2L, 3L));

    assertThat(recent.recall(List.of(1L, 2L, 3L))).extracting(Execution::id).containsExactly(1L);
  }
}
