package io.millrace.jobclient.outbox;

import io.millrace.common.time.Timer;
import io.millrace.jobclient.Delivered;
import io.millrace.jobclient.DeliveryListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the listener what became of entries, one after another. An entry is let go when its news is
 * told, so that it is told again if the process dies before; but it is not kept for a listener that
 * takes long, nor for one that is not there. Such news stays in memory, up to a bound. Thread-safe.
 */
final class DeliveryNews {
  static final int MAX_WAITING = 10_000;
  static final int MAX_TRIES = 5;

  /** After this an entry is let go although its news is not told. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryNews.class);

  private final Executor listeners;
  private final Executor tasks;
  private final Timer timer;
  private final Deque<News> waiting = new ArrayDeque<>();
  private @Nullable DeliveryListener listener;
  private boolean telling;
  private boolean closed;

  /**
   * Has nothing to tell, and nobody to tell it to.
   *
   * @param listeners runs the listener
   * @param tasks runs what the timer hands over
   */
  DeliveryNews(Executor listeners, Executor tasks, Timer timer) {
    this.listeners = listeners;
    this.tasks = tasks;
    this.timer = timer;
  }

  /** Sets who is told, also what nobody has heard so far. */
  void listener(DeliveryListener newListener) {
    synchronized (waiting) {
      listener = newListener;
    }
    tellNext();
  }

  /**
   * Tells as soon as may be.
   *
   * @param letGo run once, when the entry need not be kept for the listener any more
   */
  void tell(Delivered delivered, Runnable letGo) {
    News news = new News(delivered, letGo);
    News dropped;
    boolean somebodyListens;
    synchronized (waiting) {
      if (closed) {
        return;
      }
      waiting.addLast(news);
      dropped = waiting.size() > MAX_WAITING ? waiting.removeFirst() : null;
      somebodyListens = listener != null;
    }
    if (dropped != null) {
      LOG.warn("outbox: nobody has heard that {}; it is forgotten", dropped);
      dropped.letGo();
    }
    if (somebodyListens) {
      news.letGoLater();
    } else {
      news.letGo();
    }
    tellNext();
  }

  private void tellNext() {
    synchronized (waiting) {
      if (telling || closed || listener == null || waiting.isEmpty()) {
        return;
      }
      telling = true;
    }
    try {
      listeners.execute(this::tellOne);
    } catch (RejectedExecutionException closing) {
      // The entry stays on the disk, and its news is told by the next process.
    }
  }

  private void tellOne() {
    News news;
    DeliveryListener current;
    synchronized (waiting) {
      news = waiting.pollFirst();
      current = listener;
    }
    if (news != null && current != null) {
      tell(news, current);
    }
    synchronized (waiting) {
      telling = false;
    }
    tellNext();
  }

  /** Whatever the listener throws, the others must be told. */
  private void tell(News news, DeliveryListener current) {
    try {
      current.onDelivered(news.delivered);
      news.letGo();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed(news, e);
    } catch (Throwable e) {
      failed(news, e);
    }
  }

  private void failed(News news, Throwable failure) {
    news.tries++;
    if (news.tries < MAX_TRIES) {
      LOG.warn("outbox: the listener failed on the news that {}; it is told again", news, failure);
      Duration pause = FIRST_PAUSE.multipliedBy(1L << news.tries);
      news.again = timer.schedule(pause, tasks, () -> tellAgain(news));
    } else {
      LOG.error(
          "outbox: the listener failed {} times on the news that {}", MAX_TRIES, news, failure);
      news.letGo();
    }
  }

  private void tellAgain(News news) {
    synchronized (waiting) {
      waiting.addLast(news);
    }
    tellNext();
  }

  /** Tells nothing any more, and lets go of nothing. */
  void close() {
    synchronized (waiting) {
      closed = true;
      waiting.forEach(News::forget);
      waiting.clear();
    }
  }

  private final class News {
    private final Delivered delivered;
    private final Runnable letGo;
    private final AtomicBoolean let = new AtomicBoolean();
    private int tries;
    private volatile Timer.@Nullable Timeout patience;
    private volatile Timer.@Nullable Timeout again;

    private News(Delivered delivered, Runnable letGo) {
      this.delivered = delivered;
      this.letGo = letGo;
    }

    private void letGoLater() {
      patience = timer.schedule(PATIENCE, tasks, this::letGo);
    }

    private void letGo() {
      cancel(patience);
      if (let.compareAndSet(false, true)) {
        letGo.run();
      }
    }

    private void forget() {
      cancel(patience);
      cancel(again);
    }

    private static void cancel(Timer.@Nullable Timeout timeout) {
      if (timeout != null) {
        timeout.cancel();
      }
    }

    @Override
    public String toString() {
      return Sentences.of(delivered);
    }
  }
}
