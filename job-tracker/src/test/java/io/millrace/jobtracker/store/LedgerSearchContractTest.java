package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.nextId;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.outcome.EndStatus;
import io.millrace.jobtracker.domain.outcome.LedgerRow;
import io.millrace.jobtracker.store.LedgerStore.Found;
import io.millrace.jobtracker.store.LedgerStore.FoundOfJob;
import io.millrace.jobtracker.store.LedgerStore.Place;
import io.millrace.jobtracker.store.LedgerStore.Search;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerSearchContractTest extends StoreContract {
  private LedgerStore store;

  @BeforeEach
  void takeStore() {
    store = stores.ledger();
  }

  private LedgerRow appended(String group, long jobId, long plannedFor, EndStatus status) {
    LedgerRow row =
        StoreRows.ended(nextId(), group, jobId, "a", plannedFor, status, "submission-1", "done");
    store.append(List.of(row));
    return row;
  }

  private LedgerRow appended(EndStatus status) {
    return appended(nodeGroup, 77, 5_000, status);
  }

  private Search search(@Nullable EndStatus status) {
    return new Search(nodeGroup, status, null, 0, Long.MAX_VALUE);
  }

  private static Search below(Search search, long id) {
    return new Search(search.nodeGroup(), search.status(), search.workerId(), search.fromId(), id);
  }

  @Test
  void pagesGoBackFromTheNewest() {
    LedgerRow first = appended(EndStatus.SUCCEEDED);
    LedgerRow second = appended(EndStatus.DEAD);
    LedgerRow third = appended(EndStatus.SUCCEEDED);

    Found page = store.search(search(null), 2, 100);

    assertThat(page.rows()).containsExactly(third, second);
    assertThat(page.next()).isEqualTo(second.id());
    Found last = store.search(below(search(null), second.id()), 2, 10_000);
    assertThat(last.rows()).containsExactly(first);
    assertThat(last.next()).isNull();
  }

  @Test
  void groupStatusWorkerAndSpanAreFiltered() {
    LedgerRow dead = appended(EndStatus.DEAD);
    LedgerRow done = appended(EndStatus.SUCCEEDED);
    LedgerRow elsewhere = appended(newNodeGroup(), 77, 5_000, EndStatus.DEAD);

    assertThat(store.search(search(EndStatus.DEAD), 10, 100).rows()).containsExactly(dead);
    assertThat(
            store
                .search(
                    new Search(null, EndStatus.DEAD, "worker-1", dead.id(), Long.MAX_VALUE),
                    10,
                    100)
                .rows())
        .containsExactly(elsewhere, dead);
    assertThat(
            store.search(new Search(nodeGroup, null, "nobody", 0, Long.MAX_VALUE), 10, 100).rows())
        .isEmpty();
    assertThat(
            store.search(new Search(null, null, null, done.id(), elsewhere.id()), 10, 100).rows())
        .containsExactly(done);
  }

  @Test
  void searchLooksAtSoManyRowsAndSaysHowFarItCame() {
    LedgerRow wanted = appended(EndStatus.DEAD);
    LedgerRow lowest = appended(EndStatus.SUCCEEDED);
    appended(EndStatus.SUCCEEDED);

    Found first = store.search(search(EndStatus.DEAD), 10, 2);

    assertThat(first.rows()).isEmpty();
    assertThat(first.next()).isEqualTo(lowest.id());
    assertThat(store.search(below(search(EndStatus.DEAD), lowest.id()), 10, 1).rows())
        .containsExactly(wanted);
  }

  @Test
  void searchEndsWhereItsSpanBegins() {
    LedgerRow row = appended(EndStatus.SUCCEEDED);
    Search fromRow = new Search(nodeGroup, EndStatus.DEAD, null, row.id(), Long.MAX_VALUE);

    assertThat(store.search(fromRow, 10, 2)).isEqualTo(new Found(List.of(), null));
  }

  @Test
  void rowsOfAJobComeInFallingOrderOfTheirPlannedTime() {
    long job = nextId();
    LedgerRow early = appended(nodeGroup, job, 1_000, EndStatus.RETRIED);
    LedgerRow late = appended(nodeGroup, job, 9_000, EndStatus.SUCCEEDED);
    LedgerRow again = appended(nodeGroup, job, 1_000, EndStatus.SUCCEEDED);
    appended(nodeGroup, nextId(), 5_000, EndStatus.SUCCEEDED);

    List<LedgerRow> all = new ArrayList<>();
    Place place = Place.START;
    while (place != null) {
      FoundOfJob page = store.searchJob(job, search(null), place, 1, 100);
      all.addAll(page.rows());
      place = page.next();
    }

    assertThat(all).containsExactly(late, again, early);
  }

  @Test
  void rowsOfAJobAreFilteredAmongThoseLookedAt() {
    long job = nextId();
    LedgerRow wanted = appended(nodeGroup, job, 1_000, EndStatus.DEAD);
    LedgerRow second = appended(nodeGroup, job, 2_000, EndStatus.SUCCEEDED);
    appended(nodeGroup, job, 3_000, EndStatus.SUCCEEDED);

    FoundOfJob first = store.searchJob(job, search(EndStatus.DEAD), Place.START, 10, 2);

    assertThat(first.rows()).isEmpty();
    assertThat(first.next()).isEqualTo(new Place(2_000, second.id()));
    assertThat(store.searchJob(job, search(EndStatus.DEAD), new Place(2_000, second.id()), 10, 2))
        .isEqualTo(new FoundOfJob(List.of(wanted), null));
    assertThat(
            store
                .searchJob(
                    job,
                    new Search(nodeGroup, null, "worker-1", second.id(), second.id() + 1),
                    Place.START,
                    10,
                    100)
                .rows())
        .containsExactly(second);
  }
}
