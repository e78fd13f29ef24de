package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.StoreContract;
import io.millrace.jobtracker.store.console.BulkChangeStore.Action;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.End;
import io.millrace.jobtracker.store.console.BulkChangeStore.Failure;
import io.millrace.jobtracker.store.console.BulkChangeStore.Filter;
import io.millrace.jobtracker.store.console.BulkChangeStore.Options;
import io.millrace.jobtracker.store.console.BulkChangeStore.Progress;
import io.millrace.jobtracker.store.console.BulkChangeStore.Request;
import io.millrace.jobtracker.store.console.BulkChangeStore.State;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BulkChangeStoreContractTest extends StoreContract {
  private static final Filter ALL =
      new Filter(null, null, null, null, null, null, null, null, null, null);
  private static final Request PAUSE =
      new Request(
          Action.PAUSE_JOBS, ALL, new Options(null, null, false), 5, "ann", "10.0.0.7:4711");
  private static final Progress SOME =
      new Progress(
          1_000_000L,
          200,
          2,
          "a\u0000🚀",
          List.of(
              new Failure("orders/it's", "orders", "it's", null, "gesperrt, für \"immer\""),
              new Failure("7", null, null, 7L, "gone")));

  private BulkChangeStore store;

  @BeforeEach
  void takeStore() {
    store = stores.console().bulkChanges();
    database.execute("DELETE FROM jt_bulk_change");
  }

  private List<Long> active() {
    return store.listActive(Long.MAX_VALUE, 100).stream().map(BulkChange::id).toList();
  }

  @Test
  void bulkChangeIsReadAsItWasStored() {
    Request replay =
        new Request(
            Action.REPLAY_DEAD,
            new Filter("orders", "näch", "t", "mail", "shop", "PAUSED", "t", "w", 1L, 2L),
            new Options("because 🚀", Map.of("a", "b\n"), true),
            7,
            "ann",
            "::1");
    store.add(1, replay);
    store.add(2, PAUSE);

    assertThat(store.find(1)).contains(new BulkChange(1, replay, Progress.NONE, null));
    assertThat(store.find(2)).contains(new BulkChange(2, PAUSE, Progress.NONE, null));
    assertThat(store.find(3)).isEmpty();
  }

  @Test
  void oneOwnerAtATimeHoldsTheLease() {
    store.add(1, PAUSE);

    assertThat(store.lease(1, 10, 100, 200)).isTrue();
    assertThat(store.lease(1, 20, 199, 300)).isFalse();
    assertThat(store.lease(1, 10, 199, 299)).as("renewed").isTrue();
    assertThat(store.lease(1, 20, 200, 300)).isFalse();
    assertThat(store.lease(1, 20, 299, 400)).as("run out").isTrue();
    assertThat(store.lease(1, 10, 300, 500)).isFalse();

    store.release(10);
    assertThat(store.lease(1, 10, 300, 500)).as("released by another").isFalse();
    store.release(20);
    assertThat(store.lease(1, 10, 300, 500)).as("released").isTrue();
    assertThat(store.lease(2, 10, 300, 500)).as("absent").isFalse();
  }

  @Test
  void progressIsSavedByWhoHoldsTheLeaseOnly() {
    store.add(1, PAUSE);
    assertThat(store.lease(1, 10, 100, 200)).isTrue();

    assertThat(store.save(1, 10, SOME)).isTrue();
    assertThat(store.find(1)).contains(new BulkChange(1, PAUSE, SOME, null));
    assertThat(store.save(1, 10, SOME)).as("the same again").isTrue();

    assertThat(store.lease(1, 20, 200, 300)).isTrue();
    assertThat(store.save(1, 10, Progress.NONE)).isFalse();
    assertThat(store.find(1)).contains(new BulkChange(1, PAUSE, SOME, null));
  }

  @Test
  void firstEndCountsAndThePageUnderWayIsSavedAfterIt() {
    store.add(1, PAUSE);
    assertThat(store.lease(1, 10, 100, 200)).isTrue();
    End stopped = new End(State.STOPPED, 150, "bob");

    assertThat(store.end(1, stopped)).isTrue();
    assertThat(store.end(1, new End(State.DONE, 160, null))).isFalse();
    assertThat(store.save(1, 10, SOME)).isTrue();

    assertThat(store.find(1)).contains(new BulkChange(1, PAUSE, SOME, stopped));
    assertThat(store.lease(1, 10, 150, 300)).as("nothing follows").isFalse();
    assertThat(store.end(2, stopped)).as("absent").isFalse();
  }

  @Test
  void longReasonIsCut() {
    store.add(1, PAUSE);

    assertThat(store.end(1, new End(State.FAILED, 150, "w".repeat(5_000)))).isTrue();

    assertThat(store.find(1).orElseThrow().end().reason()).isEqualTo("w".repeat(1_000));
  }

  @Test
  void bulkChangesAreListedNewestFirstInPages() {
    IntStream.rangeClosed(1, 5).forEach(id -> store.add(id, PAUSE));
    assertThat(store.end(4, new End(State.DONE, 9, null))).isTrue();

    assertThat(store.list(Long.MAX_VALUE, 2)).extracting(BulkChange::id).containsExactly(5L, 4L);
    assertThat(store.list(4, 9)).extracting(BulkChange::id).containsExactly(3L, 2L, 1L);
    assertThat(active()).containsExactly(5L, 3L, 2L, 1L);
    assertThat(store.listActive(5, 1)).extracting(BulkChange::id).containsExactly(3L);
  }

  @Test
  void oldOnesAreDeletedUnlessTheyAreUnderWay() {
    IntStream.rangeClosed(1, 5).forEach(id -> store.add(id, PAUSE));
    IntStream.rangeClosed(1, 4)
        .forEach(id -> assertThat(store.end(id, new End(State.DONE, id * 10, null))).isTrue());

    assertThat(store.deleteEndedBefore(40, 2)).isEqualTo(2);
    assertThat(store.deleteEndedBefore(40, 2)).isEqualTo(1);
    assertThat(store.deleteEndedBefore(40, 2)).isZero();

    assertThat(store.list(Long.MAX_VALUE, 9)).extracting(BulkChange::id).containsExactly(5L, 4L);
  }
}
