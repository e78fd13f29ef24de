package io.millrace.jobtracker.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.lane.LaneStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How lanes are numbered when two trackers store one at the same time. */
class JobLanesTest {
  private static final Lane GPU = new Lane(1, List.of("gpu"));

  private final Lanes store = new Lanes();
  private final JobLanes lanes = new JobLanes(store);

  /** Another tracker stores a lane just before this one does. */
  private static final class Lanes implements LaneStore {
    private final List<Lane> stored = new ArrayList<>();
    private @Nullable Lane byAnother;
    private int reads;

    @Override
    public List<Lane> find(String nodeGroup) {
      reads++;
      return List.copyOf(stored);
    }

    @Override
    public void insert(String nodeGroup, Lane lane) {
      if (byAnother != null) {
        stored.add(byAnother);
        byAnother = null;
      }
      if (stored.stream().anyMatch(each -> each.number() == lane.number())) {
        throw new DuplicateKeyException("taken", new IllegalStateException());
      }
      stored.add(lane);
    }
  }

  private Lane place(String... labels) {
    TriggerSpec spec =
        new TriggerSpec(null, RetryPolicy.DEFAULT, false, false, "", "submit-1", "client-1");
    TriggerSpec wanted =
        labels.length == 0 ? spec : spec.in(new Lane(0, Stream.of(labels).sorted().toList()));
    return lanes.place("orders", wanted).laneOrPlain();
  }

  @Test
  void laneThatAnotherTrackerStoredFirstIsUsed() {
    store.byAnother = GPU;

    assertThat(place("gpu")).isEqualTo(GPU);
    assertThat(store.stored).containsExactly(GPU);
  }

  @Test
  void numberThatAnotherTrackerTookForOtherLabelsIsLeftToIt() {
    store.byAnother = new Lane(1, List.of("eu"));

    assertThat(place("gpu")).isEqualTo(new Lane(2, List.of("gpu")));
    assertThat(store.stored).hasSize(2);
  }

  @Test
  void partsRequireWhatTheirRunDoesAndThatTheWorkerKnowsThem() {
    Lane gpu = place("gpu");

    Lane ofParts = lanes.ofParts("orders", gpu);
    assertThat(ofParts).isEqualTo(new Lane(2, List.of(Lane.PARTS, "gpu")));
    assertThat(lanes.ofParts("orders", ofParts)).as("of a part").isEqualTo(ofParts);
    assertThat(lanes.ofParts("orders", Lane.PLAIN)).isEqualTo(new Lane(3, List.of(Lane.PARTS)));
  }

  @Test
  void partsStayInTheLaneOfTheirRunIfThereIsNoRoomForAnother() {
    List<Lane> all =
        IntStream.range(0, Lane.MOST).mapToObj(number -> place("label-" + number)).toList();

    assertThat(lanes.ofParts("orders", all.get(7))).isEqualTo(all.get(7));
    assertThat(store.stored).hasSize(Lane.MOST);
  }

  @Test
  void whatIsKnownIsNotReadAgainAndPlainJobsReadNothing() {
    assertThat(place()).isEqualTo(Lane.PLAIN);
    assertThat(store.reads).isZero();
    assertThat(place("gpu")).isEqualTo(GPU);
    assertThat(place("gpu")).as("read once more after it was stored").isEqualTo(GPU);
    int reads = store.reads;

    assertThat(place("gpu")).isEqualTo(GPU);
    assertThat(store.reads).isEqualTo(reads);
  }
}
