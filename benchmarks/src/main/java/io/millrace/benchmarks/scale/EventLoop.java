package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.measure.WallClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread for many connections. Everything but {@link #check} and {@link #close} is called
 * before the start or by that thread.
 */
final class EventLoop implements AutoCloseable {
  private static final long LONGEST_WAIT_MILLIS = 1_000;

  private final Selector selector;
  private final Queue<Step> steps = new PriorityQueue<>(Comparator.comparingLong(Step::atNanos));
  private final Thread thread = new Thread(this::run, "benchmark-workers");
  private volatile @Nullable Throwable failure;
  private volatile boolean closed;

  EventLoop() throws IOException {
    this.selector = Selector.open();
  }

  /** What is done at a time, as {@link WallClock#nanoTime} says it. */
  private record Step(long atNanos, Runnable work) {}

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Has a connection watched.
   *
   * @param ready called when one of the operations is possible
   */
  void watch(SocketChannel channel, int operations, Consumer<SelectionKey> ready)
      throws IOException {
    SelectionKey unused = channel.register(selector, operations, ready);
  }

  /** Has something done after a while. */
  void later(long millis, Runnable work) {
    boolean unused =
        steps.add(new Step(WallClock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), work));
  }

  /** Throws if the thread has ended with a failure. */
  void check() {
    Throwable known = failure;
    if (known != null) {
      throw new IllegalStateException("the simulated workers stopped", known);
    }
  }

  private void run() {
    try {
      while (!closed) {
        runDue();
        int unused = selector.select(EventLoop::ready, millisToNext());
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
  }

  private void runDue() {
    long now = WallClock.nanoTime();
    for (Step step = steps.peek(); step != null && step.atNanos() <= now; step = steps.peek()) {
      Step due = steps.remove();
      due.work().run();
    }
  }

  /** Never 0, which would mean for ever. */
  private long millisToNext() {
    Step next = steps.peek();
    if (next == null) {
      return LONGEST_WAIT_MILLIS;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(next.atNanos() - WallClock.nanoTime());
    return Math.max(1, Math.min(LONGEST_WAIT_MILLIS, millis));
  }

  @SuppressWarnings("unchecked") // what watch() attaches
  private static void ready(SelectionKey key) {
    ((Consumer<SelectionKey>) key.attachment()).accept(key);
  }

  /** Ends the thread, then closes all connections. */
  @Override
  public void close() {
    closed = true;
    Selector woken = selector.wakeup();
    try {
      thread.join();
      for (SelectionKey key : List.copyOf(woken.keys())) {
        key.channel().close();
      }
      selector.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
