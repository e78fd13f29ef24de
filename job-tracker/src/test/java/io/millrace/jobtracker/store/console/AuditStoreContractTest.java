package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.StoreContract;
import io.millrace.jobtracker.store.console.AuditStore.Entry;
import io.millrace.jobtracker.store.console.AuditStore.Found;
import io.millrace.jobtracker.store.console.AuditStore.Query;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditStoreContractTest extends StoreContract {
  private static final AtomicLong IDS = new AtomicLong();

  private AuditStore audit;

  @BeforeEach
  void open() {
    audit = stores.console().audit();
  }

  private Entry appended(String operator, String action) {
    return appended(operator, action, "{}");
  }

  private Entry appended(String operator, String action, @Nullable String detail) {
    long id = IDS.incrementAndGet();
    return appended(id, operator, action, "orders/" + id, detail);
  }

  private Entry appendedOf(String job, String operator, String action) {
    return appended(IDS.incrementAndGet(), operator, action, job, "{}");
  }

  private Entry appended(
      long id, String operator, String action, String job, @Nullable String detail) {
    String target = "/jobs/" + id;
    Entry entry =
        new Entry(
            id, id * 10, operator, Role.OPERATE, "::1", action, target, job, detail, null, null);
    audit.append(entry);
    return entry;
  }

  private Found newest(@Nullable String operator, @Nullable String action, int limit, int lookAt) {
    return audit.search(
        new Query(operator, action, null), AgeOrder.NEWEST_FIRST, Long.MAX_VALUE, limit, lookAt);
  }

  @Test
  void whatWasAskedIsKeptAndItsOutcomeWrittenOnce() {
    Entry asked = appended("alice", "pauseJob", null);
    assertThat(newest(null, null, 1, 10).entries()).containsExactly(asked);

    audit.conclude(asked.id(), 409, "it is paused already");
    audit.conclude(asked.id(), 200, null);

    assertThat(newest(null, null, 1, 10).entries())
        .containsExactly(
            new Entry(
                asked.id(),
                asked.askedAt(),
                "alice",
                Role.OPERATE,
                "::1",
                "pauseJob",
                asked.target(),
                asked.job(),
                null,
                409,
                "it is paused already"));
  }

  @Test
  void aSearchGoesBackwardsPageByPage() {
    List<Entry> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(0, appended("bob", "cancelJob"));
    }

    Found first = newest("bob", "cancelJob", 3, 100);
    assertThat(first.entries()).isEqualTo(all.subList(0, 3));
    assertThat(first.next()).isEqualTo(all.get(2).id());
    Query ofBob = new Query("bob", null, null);
    Found second = audit.search(ofBob, AgeOrder.NEWEST_FIRST, all.get(2).id(), 3, 100);
    assertThat(second.entries()).isEqualTo(all.subList(3, 5));

    Found oldest = audit.search(ofBob, AgeOrder.OLDEST_FIRST, 0, 2, 1_000);
    assertThat(oldest).isEqualTo(new Found(List.of(all.get(4), all.get(3)), all.get(3).id()));
    assertThat(audit.search(ofBob, AgeOrder.OLDEST_FIRST, all.get(3).id(), 9, 1_000))
        .isEqualTo(new Found(List.of(all.get(2), all.get(1), all.get(0)), null));
  }

  @Test
  void aSearchLooksAtSoManyEntriesAndSaysHowFarItCame() {
    Entry wanted = appended("carol", "runJob");
    List<Entry> others = List.of(appended("dave", "runJob"), appended("dave", "runJob"));

    Found first = newest("carol", null, 10, 2);

    assertThat(first.entries()).isEmpty();
    assertThat(first.next()).isEqualTo(others.get(0).id());
    Query ofCarol = new Query("carol", "runJob", null);
    assertThat(audit.search(ofCarol, AgeOrder.NEWEST_FIRST, others.get(0).id(), 10, 2).entries())
        .containsExactly(wanted);
  }

  private Found ofJob(String job, @Nullable String action, long below, int limit, int lookAt) {
    return audit.search(new Query(null, action, job), AgeOrder.NEWEST_FIRST, below, limit, lookAt);
  }

  @Test
  void aSearchForAJobLooksAtItsEntriesAlone() {
    List<Entry> own = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      own.add(0, appendedOf("orders/It's 任务", "grace", i == 0 ? "submitJob" : "runJob"));
      appendedOf("orders/it's 任务", "grace", "runJob");
      appendedOf("orders/It's", "grace", "runJob");
    }

    assertThat(ofJob("orders/It's 任务", null, Long.MAX_VALUE, 10, 100))
        .isEqualTo(new Found(own, null));
    Found first = ofJob("orders/It's 任务", null, Long.MAX_VALUE, 3, 100);
    assertThat(first).isEqualTo(new Found(own.subList(0, 3), own.get(2).id()));
    assertThat(ofJob("orders/It's 任务", null, own.get(2).id(), 3, 100).entries())
        .isEqualTo(own.subList(3, 4));

    Found lookedAt = ofJob("orders/It's 任务", "submitJob", Long.MAX_VALUE, 10, 2);
    assertThat(lookedAt).isEqualTo(new Found(List.of(), own.get(1).id()));
    assertThat(ofJob("orders/It's 任务", "submitJob", own.get(1).id(), 10, 2).entries())
        .containsExactly(own.get(3));
  }

  @Test
  void oldEntriesAreDeletedSoManyAtATime() {
    List<Entry> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(0, appended("frank", "runJob"));
    }
    audit.deleteBelow(all.get(5).id(), Integer.MAX_VALUE);

    assertThat(audit.deleteBelow(all.get(1).id(), 3)).isEqualTo(3);
    assertThat(newest(null, null, 10, 10).entries()).isEqualTo(all.subList(0, 3));
    assertThat(audit.deleteBelow(all.get(1).id(), 3)).isEqualTo(1);
    assertThat(audit.deleteBelow(all.get(1).id(), 3)).isZero();
    assertThat(newest("frank", null, 10, 10).entries()).isEqualTo(all.subList(0, 2));
  }

  @Test
  void longTextsAreCut() {
    Entry asked = appended("erin", "submitJob", "x".repeat(10_000));
    audit.conclude(asked.id(), 500, "y".repeat(10_000));

    Entry kept = newest("erin", null, 1, 1).entries().get(0);

    assertThat(kept.detail()).hasSize(4_000);
    assertThat(kept.outcome()).hasSize(1_000);
  }
}
