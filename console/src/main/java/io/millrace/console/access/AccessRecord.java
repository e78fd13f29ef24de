package io.millrace.console.access;

import io.millrace.console.http.Caller;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records sign-ins and requests with an unknown token in the audit. Refusals can be unlimited in
 * number, so recording them is bounded. For each target and address, the first refusal is recorded
 * at once; one minute later, the number of refusals since then is recorded. At most {@value
 * #MAX_ADDRESSES} such pairs are tracked at a time; further addresses share one entry per target.
 * Thread-safe; may block.
 */
public final class AccessRecord {
  /** The operator's name in an entry for an unknown token. */
  public static final String UNKNOWN_OPERATOR = "-";

  static final int MAX_ADDRESSES = 32;
  static final String OTHERS = "other addresses";
  static final Duration SPAN = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(AccessRecord.class);
  private static final String ACTION = "signIn";
  private static final int REFUSED = 401;
  private static final int DONE = 201;

  private final ChangeRecord audit;
  private final TimedExecutor time;

  /** For each pair recorded within the last minute, the number of refusals after the first. */
  private final Map<Place, Long> following = new HashMap<>();

  private record Place(String target, String address) {}

  /**
   * @param time runs the later reports of refusals
   */
  public AccessRecord(ChangeRecord audit, TimedExecutor time) {
    this.audit = audit;
    this.time = time;
  }

  /**
   * Records the start of a session. Called before the session begins; if this fails, no session
   * begins.
   */
  void signsIn(Token token, String target, String address) {
    append(token.name(), token.rights(), new Place(target, address), DONE, null);
  }

  /**
   * Records a refused token or person.
   *
   * @param target the path or header that the token was sent in
   */
  public void refused(String target, String address, String why) {
    Place place = first(new Place(target, address));
    if (place != null) {
      Timer.Timeout unused = time.schedule(SPAN, () -> reportFollowing(place));
      appendRefusal(place, why);
    }
  }

  /**
   * Counts a refusal. Returns the place to record; null if the place was recorded within the
   * minute.
   */
  private synchronized @Nullable Place first(Place place) {
    boolean isKnown = following.containsKey(place) || following.size() < MAX_ADDRESSES;
    Place counted = isKnown ? place : new Place(place.target(), OTHERS);
    if (following.computeIfPresent(counted, (known, count) -> count + 1) != null) {
      return null;
    }
    following.put(counted, 0L);
    return counted;
  }

  private void reportFollowing(Place place) {
    Long count;
    synchronized (this) {
      count = following.remove(place);
    }
    if (count != null && count > 0) {
      appendRefusal(place, "rejected " + count + " more times within the minute");
    }
  }

  /** Records a refusal. A failure to record does not change the refusal. */
  private void appendRefusal(Place place, String why) {
    try {
      append(UNKNOWN_OPERATOR, Rights.of(Role.VIEW), place, REFUSED, why);
    } catch (RuntimeException e) {
      LOG.warn("audit: a rejected token from {} could not be recorded", place.address(), e);
    }
  }

  private void append(
      String operator, Rights rights, Place place, int status, @Nullable String outcome) {
    Caller caller = new Caller(operator, rights, place.address());
    long unused = audit.append(caller, ACTION, place.target(), null, status, outcome);
  }
}
