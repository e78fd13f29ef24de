package io.millrace.console.access;

import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.console.OperatorStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.OperatorStore.Use;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * When and from where tokens were last used. No request waits for the database: uses are kept in
 * memory and written by passes, one every {@link #PERIOD}, with at most one statement for each
 * token. A process that is killed loses those that are not written. Thread-safe.
 */
public final class TokenUses {
  /** From the end of one pass to the start of the next. */
  public static final Duration PERIOD = Duration.ofMinutes(1);

  private final OperatorStore store;
  private final Clock clock;
  private final Map<Long, Use> unwritten = new HashMap<>();

  public TokenUses(OperatorStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Records a use of this token, now. Does not block. */
  synchronized void record(Token token, String address) {
    unwritten.put(token.id(), new Use(clock.millis(), address));
  }

  /** Returns the token with its last use, also if that is not written yet. */
  public synchronized Token withLastUse(Token token) {
    Use here = unwritten.get(token.id());
    Use stored = token.lastUse();
    return here == null || (stored != null && stored.at() > here.at())
        ? token
        : token.lastUsed(here);
  }

  /**
   * Writes what is in memory. May block.
   *
   * @throws io.millrace.jobtracker.store.failure.StoreException if something could not be written,
   *     which then stays in memory
   */
  public void write() {
    for (Map.Entry<Long, Use> use : unwritten().entrySet()) {
      store.used(use.getKey(), use.getValue());
      forget(use.getKey(), use.getValue());
    }
  }

  private synchronized Map<Long, Use> unwritten() {
    return Map.copyOf(unwritten);
  }

  /** Forgets a use that is written, unless there was another one meanwhile. */
  private synchronized void forget(Long token, Use use) {
    boolean unused = unwritten.remove(token, use);
  }
}
