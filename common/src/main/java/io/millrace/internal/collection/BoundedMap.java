package io.millrace.internal.collection;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Maps with a maximum number of entries: adding one more removes an old one. Not thread-safe; in a
 * map ordered by use even a read changes the map.
 */
public final class BoundedMap {
  private BoundedMap() {}

  /** Makes a map that removes the least recently used entry. */
  public static <K, V> Map<K, V> byUse(int max) {
    return new Bounded<>(max, /* byUse= */ true);
  }

  /** Makes a map that removes the entry that was added first. */
  public static <K, V> Map<K, V> byAge(int max) {
    return new Bounded<>(max, /* byUse= */ false);
  }

  private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    private final int max;

    Bounded(int max, boolean byUse) {
      super(16, 0.75f, byUse);
      this.max = max;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > max;
    }
  }
}
