package io.millrace.console.access;

import io.millrace.common.time.TimedExecutor;
import io.millrace.common.time.Timer;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Role;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts into the audit who signs in, and who is refused because of a token that is not known. What
 * is refused may come without end, so it has bounds: of each address the first refusal of a minute
 * is put on record at once, and how many followed when the minute is over; beyond so many addresses
 * in a minute, the others share one. Thread-safe; may block.
 */
public final class AccessRecord {
  /** Who asks, where no token says it. */
  public static final String NOBODY = "-";

  static final int MAX_ADDRESSES = 32;
  static final String OTHERS = "other addresses";
  static final Duration SPAN = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(AccessRecord.class);
  private static final String ACTION = "signIn";
  private static final int REFUSED = 401;
  private static final int DONE = 201;

  private final AuditStore audit;
  private final IdSequence ids;
  private final TimedExecutor time;

  /** How many refusals followed the first, for each address of which one was just recorded. */
  private final Map<Place, Long> following = new HashMap<>();

  private record Place(String target, String address) {}

  public AccessRecord(AuditStore audit, IdSequence ids, TimedExecutor time) {
    this.audit = audit;
    this.ids = ids;
    this.time = time;
  }

  /** Takes note that a session begins; comes first, and if it fails there is none. */
  void signsIn(Token token, String target, String address) {
    append(token.name(), token.role(), new Place(target, address), DONE, null);
  }

  /**
   * Takes note of a token that is not known.
   *
   * @param target what it was brought to
   */
  void refused(String target, String address, String why) {
    Place place = first(new Place(target, address));
    if (place != null) {
      Timer.Timeout unused = time.schedule(SPAN, () -> tellFollowing(place));
      appendRefusal(place, why);
    }
  }

  /** The place to be recorded; null if this is one more of what was recorded within the minute. */
  private synchronized @Nullable Place first(Place place) {
    boolean isKnown = following.containsKey(place) || following.size() < MAX_ADDRESSES;
    Place counted = isKnown ? place : new Place(place.target(), OTHERS);
    if (following.computeIfPresent(counted, (known, count) -> count + 1) != null) {
      return null;
    }
    following.put(counted, 0L);
    return counted;
  }

  private void tellFollowing(Place place) {
    Long count;
    synchronized (this) {
      count = following.remove(place);
    }
    if (count != null && count > 0) {
      appendRefusal(place, "refused " + count + " more times within the minute");
    }
  }

  /** The refusal stands, whether it can be written or not. */
  private void appendRefusal(Place place, String why) {
    try {
      append(NOBODY, Role.VIEW, place, REFUSED, why);
    } catch (RuntimeException e) {
      LOG.warn("audit: a refused token from {} could not be recorded", place.address(), e);
    }
  }

  private void append(
      String operator, Role role, Place place, int status, @Nullable String outcome) {
    long now = time.millis();
    audit.append(
        new AuditStore.Entry(
            ids.next(now),
            now,
            operator,
            role,
            place.address(),
            ACTION,
            place.target(),
            null,
            status,
            outcome));
  }
}
