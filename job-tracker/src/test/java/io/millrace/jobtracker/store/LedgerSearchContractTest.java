package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.nextId;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.LedgerStore.Found;
import io.millrace.jobtracker.store.LedgerStore.FoundOfJob;
import io.millrace.jobtracker.store.LedgerStore.Place;
import io.millrace.jobtracker.store.LedgerStore.Search;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerSearchContractTest extends StoreContract {
  private LedgerStore store;

  @BeforeEach
  void takeStore() {
    store = stores.ledger();
  }

  private LedgerEntry appended(String group, long jobId, long plannedFor, LedgerStatus status) {
    LedgerEntry row =
        StoreRows.ended(nextId(), group, jobId, "a", plannedFor, status, "submission-1", "done");
    store.append(List.of(row));
    return row;
  }

  private LedgerEntry appended(LedgerStatus status) {
    return appended(nodeGroup, 77, 5_000, status);
  }

  private Search search(@Nullable LedgerStatus status) {
    return new Search(nodeGroup, status, null, 0, Long.MAX_VALUE);
  }

  private static Search below(Search search, long id) {
    return search.within(search.fromId(), id);
  }

  @Test
  void pagesGoBackFromTheNewest() {
    LedgerEntry first = appended(LedgerStatus.SUCCEEDED);
    LedgerEntry second = appended(LedgerStatus.DEAD);
    LedgerEntry third = appended(LedgerStatus.SUCCEEDED);

    Found page = store.search(search(null), 2, 100);

    assertThat(page.rows()).containsExactly(third, second);
    assertThat(page.next()).isEqualTo(second.id());
    Found last = store.search(below(search(null), second.id()), 2, 10_000);
    assertThat(last.rows()).containsExactly(first);
    assertThat(last.next()).isNull();
  }

  @Test
  void groupStatusWorkerAndSpanAreFiltered() {
    LedgerEntry dead = appended(LedgerStatus.DEAD);
    LedgerEntry done = appended(LedgerStatus.SUCCEEDED);
    LedgerEntry elsewhere = appended(newNodeGroup(), 77, 5_000, LedgerStatus.DEAD);

    assertThat(store.search(search(LedgerStatus.DEAD), 10, 100).rows()).containsExactly(dead);
    assertThat(
            store
                .search(
                    new Search(null, LedgerStatus.DEAD, "worker-1", dead.id(), Long.MAX_VALUE),
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

  private static Search ended(String group, long from, long before) {
    return new Search(group, Set.of(), null, 0, Long.MAX_VALUE, from, before);
  }

  /** Rows of {@link StoreRows} ended at 5,003. */
  @Test
  void endsAreFilteredFromAnInstantOnAndBeforeAnother() {
    long job = nextId();
    LedgerEntry row = appended(nodeGroup, job, 5_000, LedgerStatus.SUCCEEDED);

    assertThat(store.search(ended(nodeGroup, 5_003, 5_004), 10, 100).rows()).containsExactly(row);
    assertThat(store.search(ended(nodeGroup, 5_004, Long.MAX_VALUE), 10, 100).rows()).isEmpty();
    assertThat(store.search(ended(nodeGroup, Long.MIN_VALUE, 5_003), 10, 100).rows()).isEmpty();
    assertThat(store.searchJob(job, ended(nodeGroup, 5_003, 5_004), Place.START, 10, 100).rows())
        .containsExactly(row);
    assertThat(store.searchJob(job, ended(nodeGroup, 0, 5_003), Place.START, 10, 100).rows())
        .isEmpty();
  }

  @Test
  void severalStatusesAreFiltered() {
    LedgerEntry dead = appended(LedgerStatus.DEAD);
    appended(LedgerStatus.SUCCEEDED);
    LedgerEntry failed = appended(LedgerStatus.FAILED);
    Search failures =
        new Search(
            nodeGroup,
            Set.of(LedgerStatus.FAILED, LedgerStatus.DEAD),
            null,
            0,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            Long.MAX_VALUE);

    assertThat(store.search(failures, 10, 100).rows()).containsExactly(failed, dead);
  }

  @Test
  void searchLooksAtSoManyRowsAndSaysHowFarItCame() {
    LedgerEntry wanted = appended(LedgerStatus.DEAD);
    LedgerEntry lowest = appended(LedgerStatus.SUCCEEDED);
    appended(LedgerStatus.SUCCEEDED);

    Found first = store.search(search(LedgerStatus.DEAD), 10, 2);

    assertThat(first.rows()).isEmpty();
    assertThat(first.next()).isEqualTo(lowest.id());
    assertThat(store.search(below(search(LedgerStatus.DEAD), lowest.id()), 10, 1).rows())
        .containsExactly(wanted);
  }

  @Test
  void searchEndsWhereItsSpanBegins() {
    LedgerEntry row = appended(LedgerStatus.SUCCEEDED);
    Search fromRow = new Search(nodeGroup, LedgerStatus.DEAD, null, row.id(), Long.MAX_VALUE);

    assertThat(store.search(fromRow, 10, 2)).isEqualTo(new Found(List.of(), null));
  }

  @Test
  void rowsOfAJobComeInFallingOrderOfTheirPlannedTime() {
    long job = nextId();
    LedgerEntry early = appended(nodeGroup, job, 1_000, LedgerStatus.RETRIED);
    LedgerEntry late = appended(nodeGroup, job, 9_000, LedgerStatus.SUCCEEDED);
    LedgerEntry again = appended(nodeGroup, job, 1_000, LedgerStatus.SUCCEEDED);
    appended(nodeGroup, nextId(), 5_000, LedgerStatus.SUCCEEDED);

    List<LedgerEntry> all = new ArrayList<>();
    Place place = Place.START;
    while (place != null) {
      FoundOfJob page = store.searchJob(job, search(null), place, 1, 100);
      all.addAll(page.rows());
      place = page.next();
    }

    assertThat(all).containsExactly(late, again, early);
  }

  @Test
  void oldestComeFirstIfThatIsAsked() {
    long job = nextId();
    LedgerEntry late = appended(nodeGroup, job, 9_000, LedgerStatus.SUCCEEDED);
    LedgerEntry early = appended(nodeGroup, job, 1_000, LedgerStatus.RETRIED);
    LedgerEntry again = appended(nodeGroup, job, 1_000, LedgerStatus.SUCCEEDED);

    Found page = store.search(search(null), AgeOrder.OLDEST_FIRST, 2, 10_000);
    assertThat(page.rows()).containsExactly(late, early);
    assertThat(page.next()).isEqualTo(early.id());
    Search rest = new Search(nodeGroup, null, null, early.id() + 1, Long.MAX_VALUE);
    assertThat(store.search(rest, AgeOrder.OLDEST_FIRST, 2, 10_000))
        .isEqualTo(new Found(List.of(again), null));

    List<LedgerEntry> ofJob = new ArrayList<>();
    Place place = Place.start(AgeOrder.OLDEST_FIRST);
    while (place != null) {
      FoundOfJob found = store.searchJob(job, search(null), AgeOrder.OLDEST_FIRST, place, 1, 100);
      ofJob.addAll(found.rows());
      place = found.next();
    }
    assertThat(ofJob).containsExactly(early, again, late);
  }

  @Test
  void rowsOfAJobAreFilteredAmongThoseLookedAt() {
    long job = nextId();
    LedgerEntry wanted = appended(nodeGroup, job, 1_000, LedgerStatus.DEAD);
    LedgerEntry second = appended(nodeGroup, job, 2_000, LedgerStatus.SUCCEEDED);
    appended(nodeGroup, job, 3_000, LedgerStatus.SUCCEEDED);

    FoundOfJob first = store.searchJob(job, search(LedgerStatus.DEAD), Place.START, 10, 2);

    assertThat(first.rows()).isEmpty();
    assertThat(first.next()).isEqualTo(new Place(2_000, second.id()));
    assertThat(
            store.searchJob(job, search(LedgerStatus.DEAD), new Place(2_000, second.id()), 10, 2))
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
