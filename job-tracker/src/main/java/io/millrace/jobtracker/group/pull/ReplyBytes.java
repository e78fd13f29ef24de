package io.millrace.jobtracker.group.pull;

import io.millrace.common.codec.Codec;
import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.TriggerState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.store.RaceLostException;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.UnknownOutcomeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
