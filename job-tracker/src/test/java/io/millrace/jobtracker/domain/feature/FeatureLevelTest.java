package io.millrace.jobtracker.domain.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.PartFailurePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureLevelTest {
  private static final FeatureLevel BATCHES = new FeatureLevel(2, "batches");

  @Test
  void storedFormIsReadBack() {
    assertThat(BATCHES.text()).isEqualTo("2 batches");
    assertThat(FeatureLevel.parse("2 batches")).isEqualTo(BATCHES);
    assertThat(FeatureLevel.parse(FeatureLevel.CHECK.text())).isEqualTo(FeatureLevel.CHECK);
    assertThat(FeatureLevel.parse(FeatureLevel.NONE.text())).isEqualTo(FeatureLevel.NONE);
    assertThat(FeatureLevel.parse("3").text()).as("as a script writes it").isEqualTo("3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "batches", "2.5", "2batches", "99999999999"})
  void otherTextIsNamedInTheError(String text) {
    assertThatThrownBy(() -> FeatureLevel.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a feature level");
  }

  @Test
  void numbersDecideWhatIsKnown() {
    assertThat(BATCHES.covers(FeatureLevel.CHECK)).isTrue();
    assertThat(BATCHES.covers(new FeatureLevel(2, "other words"))).isTrue();
    assertThat(FeatureLevel.CHECK.covers(BATCHES)).isFalse();
    assertThat(FeatureLevel.NONE.covers(FeatureLevel.NONE)).isTrue();
  }

  @Test
  void messagesNameNumberAndFeature() {
    assertThat(BATCHES).hasToString("2 (batches)");
    assertThat(FeatureLevel.NONE).hasToString("0");
  }

  /** Or no tracker of this version could store it. */
  @Test
  void noJobNeedsMoreThanThisSoftwareKnows() {
    Job plain = Job.builder("orders", "close").build();

    Job labelled = Job.builder("orders", "draw").on("gpu").shards(2).build();
    Job sticky = Job.builder("orders", "draw").stickTo("customer-7").build();
    Job split = Job.builder("orders", "draw").shards(2).build();

    assertThat(FeatureLevel.neededBy(plain)).isEqualTo(FeatureLevel.NONE);
    assertThat(FeatureLevel.neededBy(split)).isEqualTo(FeatureLevel.PARTS);
    assertThat(FeatureLevel.neededBy(labelled)).isEqualTo(FeatureLevel.LANES);
    assertThat(FeatureLevel.neededBy(sticky)).isEqualTo(FeatureLevel.LANES);
    assertThat(FeatureLevel.neededBy(Job.builder("orders", "reload").broadcast().on("gpu").build()))
        .isEqualTo(FeatureLevel.BROADCAST);
    assertThat(FeatureLevel.LANES.covers(FeatureLevel.BROADCAST)).isFalse();
    assertThat(FeatureLevel.OWN.covers(FeatureLevel.BROADCAST)).isTrue();
    assertThat(FeatureLevel.OWN.covers(FeatureLevel.neededBy(plain))).isTrue();
  }

  @Test
  void jobThatSaysWhatHoldsForPartsNeedsTrackersThatKnowParts() {
    assertThat(
            List.of(
                Job.builder("orders", "close").shards(2).build(),
                Job.builder("orders", "close").reduce("sum").build(),
                Job.builder("orders", "close").within(Duration.ofHours(1)).build(),
                Job.builder("orders", "close").onPartFailure(PartFailurePolicy.STOP).build()))
        .extracting(FeatureLevel::neededBy)
        .containsOnly(FeatureLevel.PARTS);
  }
}
