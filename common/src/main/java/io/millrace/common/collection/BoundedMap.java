package io.millrace.common.collection;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Maps that hold so many entries at most: with one more, one is forgotten. Not thread-safe; a look
 * into one that forgets by use changes it.
 */
public final class BoundedMap {
  private BoundedMap() {}

  /** Forgets the entry that was used the longest ago. */
  public static <K, V> Map<K, V> byUse(int max) {
    return new Bounded<>(max, /* byUse= */ true);
  }

  /** Forgets the entry that was put in first. */
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
