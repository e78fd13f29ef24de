package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.lane.LaneStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lanes of node groups. */
class LaneStoreContractTest extends StoreContract {
  private LaneStore store;

  @BeforeEach
  void takeStore() {
    store = stores.lanes();
  }

  @Test
  void lanesAreReadInOrderAsTheyWereStored() {
    Lane parts = new Lane(1, List.of(Lane.PARTS));
    Lane most =
        new Lane(2, IntStream.range(10, 26).mapToObj(n -> "x".repeat(62) + n).sorted().toList());
    store.insert(nodeGroup, most);
    store.insert(nodeGroup, parts);

    assertThat(store.find(nodeGroup)).containsExactly(parts, most);
    assertThat(store.find(nodeGroup + "-other")).isEmpty();
  }

  @Test
  void numberIsStoredOnce() {
    store.insert(nodeGroup, new Lane(1, List.of("gpu")));

    assertThatThrownBy(() -> store.insert(nodeGroup, new Lane(1, List.of("eu"))))
        .isInstanceOf(DuplicateKeyException.class);
    assertThat(store.find(nodeGroup)).containsExactly(new Lane(1, List.of("gpu")));
  }
}
