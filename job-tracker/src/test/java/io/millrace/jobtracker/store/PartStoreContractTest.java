package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.params;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.batch.PartState;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.store.batch.PartStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PartStoreContractTest extends StoreContract {
  private PartStore store;

  @BeforeEach
  void takeStore() {
    store = stores.parts();
  }

  private static Part part(long batchId, int number) {
    return Part.of(new PartKey(batchId, number), params("{\"n\":\"" + number + "\"}"));
  }

  private static List<Part> parts(long batchId, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> part(batchId, i)).toList();
  }

  @Test
  void partsAreReadPageByPageInOrderOfTheirNumbers() {
    long batchId = nextId();
    List<Part> all = parts(batchId, 300);
    store.append(all);
    store.append(parts(nextId(), 2));

    assertThat(store.read(batchId, 0, 200)).isEqualTo(all.subList(0, 200));
    assertThat(store.read(batchId, 200, 200)).isEqualTo(all.subList(200, 300));
    assertThat(store.read(batchId, 300, 200)).isEmpty();
  }

  @Test
  void endOfAPartIsStoredWithItsResult() {
    long batchId = nextId();
    PartKey key = new PartKey(batchId, 2);
    Part replay =
        new Part(
            new PartKey(batchId, 3), PartState.NOT_ENDED, "audit", StoredParams.NONE, null, 1, 77L);
    store.append(List.of(part(batchId, 1), part(batchId, 2), replay));

    store.end(
        List.of(
            Part.ended(key, PartState.SUCCEEDED, "{\"sum\":5}"),
            Part.ended(new PartKey(batchId, 1), PartState.DEAD, null)));

    assertThat(store.read(batchId, 0, 10))
        .containsExactly(
            new Part(
                new PartKey(batchId, 1),
                PartState.DEAD,
                null,
                params("{\"n\":\"1\"}"),
                null,
                null,
                null),
            new Part(
                key, PartState.SUCCEEDED, null, params("{\"n\":\"2\"}"), "{\"sum\":5}", null, null),
            replay);
  }

  @Test
  void endOfAPartWithoutParametersIsStoredToo() {
    long batchId = nextId();
    List<Part> ended =
        IntStream.rangeClosed(1, 300)
            .mapToObj(i -> Part.ended(new PartKey(batchId, i), PartState.SUCCEEDED, "" + i))
            .toList();

    store.end(ended);

    assertThat(store.read(batchId, 0, 1_000)).isEqualTo(ended);
  }

  @Test
  void pageEndsWhereItsBytesDo() {
    long batchId = nextId();
    List<Part> all = parts(batchId, 9);
    store.append(all);
    store.end(List.of(Part.ended(new PartKey(batchId, 2), PartState.SUCCEEDED, "123456789")));

    assertThat(store.read(batchId, 0, 10, 9)).hasSize(1);
    assertThat(store.read(batchId, 0, 10, 1)).as("at least one").hasSize(1);
    assertThat(store.read(batchId, 0, 10, 9 + 18)).hasSize(2);
    assertThat(store.read(batchId, 2, 10, 9 * 3)).isEqualTo(all.subList(2, 5));
    assertThat(store.read(batchId, 2, 2, 9 * 3)).isEqualTo(all.subList(2, 4));
    assertThat(store.read(batchId, 9, 10, 9)).isEmpty();
  }

  @Test
  void partsAreDeletedInPieces() {
    long batchId = nextId();
    long other = nextId();
    store.append(parts(batchId, 25));
    store.append(parts(other, 1));

    assertThat(store.delete(batchId, 10)).isEqualTo(10);
    assertThat(store.delete(batchId, 10)).isEqualTo(10);
    assertThat(store.delete(batchId, 10)).isEqualTo(5);
    assertThat(store.delete(batchId, 10)).isZero();
    assertThat(store.read(other, 0, 10)).hasSize(1);
  }

  @Test
  void batchesThatHavePartsAreListed() {
    long before = nextId();
    List<Long> ids = IntStream.range(0, 5).mapToObj(i -> nextId()).toList();
    ids.forEach(id -> store.append(parts(id, 3)));

    assertThat(store.batches(before, 3)).isEqualTo(ids.subList(0, 3));
    assertThat(store.batches(ids.get(2), 10)).startsWith(ids.get(3), ids.get(4));
  }

  @Test
  void replayIsReadInThePlaceOfThePartThatItReplays() {
    long batchId = nextId();
    store.append(parts(batchId, 3));
    PartKey second = new PartKey(batchId, 2);
    for (int number = 4; number <= 5; number++) {
      PartKey key = new PartKey(batchId, number);
      store.append(List.of(Part.replay(key, "audit", params("{\"m\":\"1\"}"), 2, 77L)));
      store.replace(second, number);
    }
    store.replace(new PartKey(batchId, 9), 10);
    store.end(List.of(Part.ended(new PartKey(batchId, 5), PartState.SUCCEEDED, "7")));

    List<Part> places = store.readPlaces(batchId, 0, 10, 1_000);

    assertThat(places)
        .containsExactly(
            part(batchId, 1),
            new Part(
                second, PartState.SUCCEEDED, "audit", params("{\"m\":\"1\"}"), "7", null, null),
            part(batchId, 3));
    assertThat(store.readPlaces(batchId, 1, 1, 1_000)).isEqualTo(places.subList(1, 2));
    assertThat(store.readPlaces(batchId, 0, 10, 9)).isEqualTo(places.subList(0, 1));
    assertThat(store.readPlaces(batchId, 0, 10, 9 + 10)).isEqualTo(places.subList(0, 2));
    assertThat(store.readPlaces(batchId, 5, 10, 9)).isEmpty();
  }
}
