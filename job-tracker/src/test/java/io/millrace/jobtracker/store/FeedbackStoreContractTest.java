package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.nextId;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Disposition;
import io.millrace.api.TriggerResult;
import io.millrace.jobtracker.domain.outcome.Feedback;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FeedbackStoreContractTest extends StoreContract {
  private FeedbackStore store;
  private String clientGroup;

  @BeforeEach
  void takeStore() {
    store = stores.feedback();
    clientGroup = "clients of " + nodeGroup;
  }

  private Feedback feedback(Disposition disposition, String message) {
    return new Feedback(
        nextId(),
        clientGroup,
        new TriggerResult(
            nodeGroup,
            "close:42",
            Instant.ofEpochMilli(5_000),
            1,
            disposition,
            3,
            message,
            Instant.ofEpochMilli(6_000)));
  }

  @Test
  void feedbackOfEachDispositionComesBackAsItWasAppended() {
    List<Feedback> all =
        List.of(
            feedback(Disposition.SUCCEEDED, "fine"),
            feedback(Disposition.FAILED, null),
            feedback(Disposition.DEAD, "🌾"),
            feedback(Disposition.CANCELLED, ""),
            feedback(Disposition.SKIPPED, "missed"));

    store.append(all);

    assertThat(store.read(clientGroup, 0, 10)).isEqualTo(all);
  }

  @Test
  void executionWithAResultComesBackWithTheFeedback() {
    Feedback plain = feedback(Disposition.SUCCEEDED, "fine");
    Feedback withResult = new Feedback(plain.id(), clientGroup, plain.result(), nextId());

    store.append(List.of(withResult));

    assertThat(store.read(clientGroup, 0, 10)).containsExactly(withResult);
  }

  @Test
  void readsOnInOrderOfIdAndOfOneClientGroup() {
    Feedback one = feedback(Disposition.DEAD, "1");
    Feedback two = feedback(Disposition.DEAD, "2");
    Feedback three = feedback(Disposition.DEAD, "3");
    store.append(List.of(three, one, two));

    assertThat(store.read(clientGroup, 0, 2)).containsExactly(one, two);
    assertThat(store.read(clientGroup, two.id(), 2)).containsExactly(three);
    assertThat(store.read("another", 0, 2)).isEmpty();
  }

  @Test
  void acknowledgedFeedbackIsGone() {
    Feedback one = feedback(Disposition.DEAD, "1");
    Feedback two = feedback(Disposition.DEAD, "2");
    store.append(List.of(one, two));

    store.delete(List.of(one.id(), nextId()));
    store.delete(List.of());

    assertThat(store.read(clientGroup, 0, 10)).containsExactly(two);
  }

  @Test
  void readsBelowAnIdInOrderOfIdWhateverTheClientGroup() {
    store.delete(
        store.readBelow(Long.MAX_VALUE, 10_000).stream()
            .map(FeedbackStore.Unacknowledged::id)
            .toList());
    Feedback one = feedback(Disposition.DEAD, "1");
    Feedback two = new Feedback(nextId(), "another group", one.result());
    Feedback three = feedback(Disposition.DEAD, "3");
    store.append(List.of(three, one, two));

    assertThat(store.readBelow(three.id(), 10))
        .containsExactly(
            new FeedbackStore.Unacknowledged(one.id(), clientGroup),
            new FeedbackStore.Unacknowledged(two.id(), "another group"));
    assertThat(store.readBelow(Long.MAX_VALUE, 2))
        .extracting(FeedbackStore.Unacknowledged::id)
        .containsExactly(one.id(), two.id());
    assertThat(store.readBelow(one.id(), 10)).isEmpty();
  }

  @Test
  void messageIsCutWhereItFits() {
    Feedback tooLong = feedback(Disposition.FAILED, "x".repeat(5_000));

    store.append(List.of(tooLong));

    assertThat(store.read(clientGroup, 0, 1).get(0).result().message()).hasSize(4_000);
  }
}
