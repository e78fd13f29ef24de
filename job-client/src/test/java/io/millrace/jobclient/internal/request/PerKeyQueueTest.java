package io.millrace.jobclient.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Of each key one item at a time, in the order of all items. */
class PerKeyQueueTest {
  private record Item(long sequence, String key, long bytes) implements PerKeyQueue.Item<String> {}

  private final PerKeyQueue<String, Item> queue = new PerKeyQueue<>();
  private final Item a1 = item(1, "a");
  private final Item a2 = item(2, "a");
  private final Item b = item(3, "b");

  private Item item(long sequence, String key) {
    Item item = new Item(sequence, key, 10);
    queue.add(item);
    return item;
  }

  @Test
  void onlyTheFirstItemOfAKeyIsReady() {
    assertThat(queue.readyCount()).isEqualTo(2);
    assertThat(queue.readyBytes()).isEqualTo(20);
    assertThat(queue.take()).isSameAs(a1);
    assertThat(queue.take()).isSameAs(b);
    assertThat(queue.take()).isNull();
    assertThat(queue.readyBytes()).isZero();
  }

  @Test
  void nextItemOfTheKeyIsReadyWhenTheFirstIsRemoved() {
    assertThat(queue.take()).isSameAs(a1);

    assertThat(queue.remove(a1)).isTrue();

    assertThat(queue.take()).isSameAs(a2);
  }

  @Test
  void itemThatIsPutBackHasItsOldPlace() {
    assertThat(queue.take()).isSameAs(a1);
    assertThat(queue.take()).isSameAs(b);

    queue.putBack(b);
    queue.putBack(a1);

    assertThat(queue.peek()).isSameAs(a1);
    assertThat(queue.readyBytes()).isEqualTo(20);
  }

  @Test
  void itemThatWaitsCanBeRemoved() {
    assertThat(queue.remove(a2)).isTrue();
    assertThat(queue.remove(a2)).isFalse();

    assertThat(queue.remove(a1)).isTrue();
    assertThat(queue.ofKey("a")).isEmpty();
    assertThat(queue.peek()).isSameAs(b);
    assertThat(queue.readyBytes()).isEqualTo(10);
  }

  @Test
  void itemsOfAKeyAreInTheirOrderReadyOrNot() {
    assertThat(queue.take()).isSameAs(a1);

    assertThat(queue.ofKey("a")).containsExactly(a1, a2);
  }
}
