package io.millrace.internal.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts services in the order they were added, and closes the open ones in the reverse order.
 *
 * <p>If a start fails, the group closes the services that are open and rethrows the exception. A
 * close that fails or hangs does not prevent the other closes: the group waits for each no longer
 * than its patience, and logs the services that remain. Add everything before {@link #start};
 * starting and closing are thread-safe, but a service must not close its own group.
 */
public final class ServiceGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceGroup.class);

  private final String name;
  private final Duration patience;
  private final Executor closer;
  private final List<Service> services = new ArrayList<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private final Object lock = new Object();
  private LifecycleState state = LifecycleState.NEW;

  /**
   * Makes a group without services.
   *
   * @param name appears in every log line
   * @param patience the longest wait for one service to close
   * @param closer runs the closes, so that the group can abandon one that hangs; its threads should
   *     be daemons
   */
  public ServiceGroup(String name, Duration patience, Executor closer) {
    this.name = name;
    this.patience = patience;
    this.closer = closer;
  }

  /**
   * Adds a service to start and, if its start has returned, to close. A start that throws must
   * leave nothing open itself.
   */
  public ServiceGroup add(String service, Runnable start, Runnable close) {
    return add(new Service(service, start, close, false));
  }

  /**
   * Adds a service that is already open: it is closed in its turn even if the group never starts.
   */
  public ServiceGroup addOpen(String service, Runnable close) {
    return add(new Service(service, () -> {}, close, true));
  }

  /**
   * Adds an executor: on close it rejects new tasks, has half of the patience to finish the present
   * ones, and is then interrupted.
   */
  public ServiceGroup addExecutor(String service, ExecutorService executor) {
    return addOpen(service, new ExecutorClosing(name + "/" + service, executor, patience));
  }

  /**
   * Starts every service.
   *
   * @throws IllegalStateException if the group was started or closed before, or is closed during
   *     the start
   */
  public void start() {
    become(LifecycleState.STARTING);
    try {
      for (Service service : services) {
        requireStarting();
        service.start.run();
        service.open = true;
      }
      requireStarting();
      become(LifecycleState.STARTED);
    } catch (Throwable failure) {
      beginClosing();
      closeOpenServices();
      throw failure;
    }
  }

  /**
   * Closes the open services, and returns when each is closed or its wait is over. Idempotent; a
   * second caller waits for the first.
   */
  @Override
  public void close() {
    LifecycleState before = beginClosing();
    if (before == LifecycleState.NEW || before == LifecycleState.STARTED) {
      closeOpenServices();
    } else {
      awaitClosed();
    }
  }

  /** The current state of the group. */
  public LifecycleState state() {
    synchronized (lock) {
      return state;
    }
  }

  private ServiceGroup add(Service service) {
    synchronized (lock) {
      if (state != LifecycleState.NEW) {
        throw new IllegalStateException(
            name + " is " + state + "; it is too late to add " + service.name);
      }
      services.add(service);
    }
    return this;
  }

  /**
   * Returns the previous state; a start under way sees the new one and closes what it has started.
   */
  private LifecycleState beginClosing() {
    synchronized (lock) {
      LifecycleState before = state;
      if (before.next().contains(LifecycleState.CLOSING)) {
        state = LifecycleState.CLOSING;
      }
      return before;
    }
  }

  private void closeOpenServices() {
    List<String> left = new ArrayList<>();
    for (int i = services.size() - 1; i >= 0; i--) {
      Service service = services.get(i);
      if (service.open && !closes(service)) {
        left.add(service.name);
      }
    }
    become(LifecycleState.CLOSED);
    closed.complete(null);
    if (!left.isEmpty()) {
      LOG.warn("{}: closed, except for {}", name, left);
    }
  }

  private boolean closes(Service service) {
    try {
      CompletableFuture.runAsync(service.close, closer)
          .get(patience.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException slow) {
      LOG.warn("{}: {} was not closed within {} ms", name, service.name, patience.toMillis());
    } catch (InterruptedException hurried) {
      LOG.warn("{}: interrupted while {} was closing", name, service.name);
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      LOG.error("{}: closing {} failed", name, service.name, failed.getCause());
    } catch (RuntimeException refused) {
      LOG.error("{}: could not start to close {}", name, service.name, refused);
    }
    return false;
  }

  private void awaitClosed() {
    try {
      closed.get(patience.multipliedBy(services.size() + 1L).toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException slow) {
      LOG.warn("{}: not closed in time; closing continues in the background", name);
    }
  }

  private void requireStarting() {
    synchronized (lock) {
      if (state != LifecycleState.STARTING) {
        throw new IllegalStateException(name + " was closed while it started");
      }
    }
  }

  private void become(LifecycleState next) {
    synchronized (lock) {
      if (!state.next().contains(next)) {
        throw new IllegalStateException(name + " cannot go from " + state + " to " + next);
      }
      state = next;
    }
  }

  /**
   * Used by the starting thread, then by the closing one; the state change passes it between them.
   */
  private static final class Service {
    final String name;
    final Runnable start;
    final Runnable close;
    boolean open;

    Service(String name, Runnable start, Runnable close, boolean open) {
      this.name = name;
      this.start = start;
      this.close = close;
      this.open = open;
    }
  }
}
