package io.millrace.jobtracker.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.NodeGroupStore;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoreQuotasTest {
  private static final long MOST = 2L << 20;

  private final Map<String, Long> bytes = new HashMap<>();
  private final StoreQuotas quotas =
      new StoreQuotas(tables(), new QuotaConfig(MOST, MOST, MOST, MOST, MOST, MOST));

  private NodeGroupStore tables() {
    return (NodeGroupStore)
        Proxy.newProxyInstance(
            NodeGroupStore.class.getClassLoader(),
            new Class<?>[] {NodeGroupStore.class},
            (proxy, method, arguments) ->
                method.getName().equals("tableBytes") ? Map.copyOf(bytes) : List.of());
  }

  @Test
  void tablesAreMeasuredAndWhatIsStoredSinceIsAdded() {
    checks("jt_job_log", quotas::faultOfJobLog, () -> quotas.logged(MOST));
    checks("jt_kept", quotas::faultOfKept, () -> quotas.keptStored(MOST));
    checks("jt_result", quotas::faultOfResults, () -> quotas.resultStored(MOST));
    checks("jt_job", () -> quotas.faultOfWaiting("a"), () -> quotas.waitingStored("a", 1, MOST));
  }

  private void checks(String table, Supplier<@Nullable String> fault, Runnable store) {
    bytes.put(table, MOST - 1);
    assertThat(quotas.runOnce()).isNull();
    assertThat(fault.get()).isNull();

    store.run();
    assertThat(fault.get()).contains(" MiB, which is the limit (");

    bytes.put(table, MOST);
    assertThat(quotas.runOnce()).isEqualTo(fault.get()).contains(" have 2 MiB");

    bytes.put(table, 0L);
    assertThat(quotas.runOnce()).isNull();
    assertThat(fault.get()).isNull();
  }
}
