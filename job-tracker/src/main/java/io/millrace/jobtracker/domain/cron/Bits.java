package io.millrace.jobtracker.domain.cron;

import java.util.BitSet;

/** Converts between sets of small numbers and bits of a word. */
final class Bits {
  private Bits() {}

  static BitSet toSet(int bits) {
    return toSet(Integer.toUnsignedLong(bits));
  }

  static BitSet toSet(long bits) {
    return BitSet.valueOf(new long[] {bits});
  }

  static int ofInt(BitSet numbers) {
    return (int) ofLong(numbers);
  }

  static long ofLong(BitSet numbers) {
    return numbers.isEmpty() ? 0 : numbers.toLongArray()[0];
  }
}
