package io.millrace.internal.rpc.connection;

import io.millrace.internal.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One bound over all connections of a server for one kind of bytes that they hold in memory. When
 * it is exceeded, the connection that has held bytes without a break for the longest time is
 * closed: a peer that reads, or that completes its frames, holds bytes for moments only.
 * Thread-safe.
 */
public final class SharedBytes {
  private final long max;
  private final Clock clock;
  private final AtomicLong total = new AtomicLong();
  private final Set<Account> accounts = ConcurrentHashMap.newKeySet();

  SharedBytes(long max, Clock clock) {
    this.max = max;
    this.clock = clock;
  }

  /** The bytes that all connections hold now. */
  long total() {
    return total.get();
  }

  /**
   * Opens the account of a connection.
   *
   * @param cut closes the connection; called at most once, on the thread of any connection
   */
  public Account open(Runnable cut) {
    Account account = new Account(cut);
    accounts.add(account);
    return account;
  }

  /** Calls the cuts outside the lock, because a close may run any code. */
  private void relieve() {
    List<Account> tooMuch = new ArrayList<>();
    synchronized (this) {
      while (total.get() > max) {
        Account longest = longest();
        if (longest == null) {
          break;
        }
        longest.close();
        tooMuch.add(longest);
      }
    }
    tooMuch.forEach(account -> account.cut.run());
  }

  private @Nullable Account longest() {
    return accounts.stream()
        .filter(account -> account.held() > 0)
        .max(Comparator.comparing(Account::heldFor).thenComparing(Account::held))
        .orElse(null);
  }

  /** The bytes of one connection. */
  public final class Account {
    private final Runnable cut;
    private long held;
    private long since;
    private boolean closed;

    private Account(Runnable cut) {
      this.cut = cut;
    }

    public synchronized long held() {
      return held;
    }

    /** How long the connection has held bytes without a break; zero if it holds none. */
    public synchronized Duration heldFor() {
      return held == 0 ? Duration.ZERO : Duration.ofNanos(clock.nanoTime() - since);
    }

    public void add(long bytes) {
      change(bytes, false);
    }

    /** Sets the number of held bytes; {@code begins} restarts the time of {@link #heldFor}. */
    public void hold(long bytes, boolean begins) {
      long change;
      synchronized (this) {
        change = bytes - held;
      }
      change(change, begins);
    }

    private void change(long bytes, boolean begins) {
      synchronized (this) {
        if (closed) {
          return;
        }
        if (held == 0 || begins) {
          since = clock.nanoTime();
        }
        held += bytes;
        total.addAndGet(bytes);
      }
      if (bytes > 0 && total.get() > max) {
        relieve();
      }
    }

    /** Releases all bytes; later changes are ignored. */
    public void close() {
      synchronized (this) {
        total.addAndGet(-held);
        held = 0;
        closed = true;
      }
      accounts.remove(this);
    }
  }
}
