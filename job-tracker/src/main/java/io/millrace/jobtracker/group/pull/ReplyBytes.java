package io.millrace.jobtracker.group.pull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The bytes of parameters in each reply so far. The first trigger that does not fit closes its
 * reply, so that order is kept and large definitions are not read in vain; the first trigger of a
 * reply always fits.
 */
final class ReplyBytes {
  private final Map<ParkedPull, Long> bytes = new HashMap<>();
  private final Set<ParkedPull> full = new HashSet<>();

  boolean isFull(ParkedPull pull) {
    return full.contains(pull);
  }

  boolean take(ParkedPull pull, long more) {
    long sum = bytes.getOrDefault(pull, 0L) + more;
    if (sum > Claimer.MAX_REPLY_BYTES && bytes.containsKey(pull)) {
      full.add(pull);
      return false;
    }
    bytes.put(pull, sum);
    return true;
  }
}
