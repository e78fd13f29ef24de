package io.millrace.jobtracker.group.pull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What each reply holds so far. The first that does not fit ends its reply, so that order is kept
 * and large definitions are not read in vain; one alone always fits.
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
