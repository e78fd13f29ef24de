package io.millrace.internal.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundedMapTest {

  @Test
  void forgetsWhatWasUsedTheLongestAgo() {
    Map<String, Integer> map = BoundedMap.byUse(2);
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);
    map.put("c", 3);

    assertThat(map).containsOnlyKeys("a", "c");
  }

  @Test
  void forgetsWhatWasPutInFirst() {
    Map<String, Integer> map = BoundedMap.byAge(2);
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);
    map.put("c", 3);

    assertThat(map).containsOnlyKeys("b", "c");
  }
}
