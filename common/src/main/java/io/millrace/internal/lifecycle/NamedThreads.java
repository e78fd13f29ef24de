package io.millrace.internal.lifecycle;

import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes threads named after their purpose: {@code prefix-1}, {@code prefix-2} and so on. An
 * exception that ends a thread is logged. Thread-safe.
 */
public final class NamedThreads implements ThreadFactory {
  private static final Logger LOG = LoggerFactory.getLogger(NamedThreads.class);

  /** Resolved early: resolving the class takes memory, and none is left when it is needed. */
  private static final Class<OutOfMemoryError> MEMORY_IS_OUT = OutOfMemoryError.class;

  private final String prefix;
  private final boolean daemon;
  private final AtomicInteger made = new AtomicInteger();

  private NamedThreads(String prefix, boolean daemon) {
    this.prefix = prefix;
    this.daemon = daemon;
  }

  /** Threads that do not keep the JVM alive. */
  public static NamedThreads daemon(String prefix) {
    return new NamedThreads(prefix, true);
  }

  /** Threads that keep the JVM alive until they end. */
  public static NamedThreads user(String prefix) {
    return new NamedThreads(prefix, false);
  }

  /**
   * Makes a pool of these threads. Its threads are created on demand and end when idle. Its queue
   * is unbounded, so it rejects no task until it is shut down.
   *
   * @param most the most threads at a time
   * @param idle how long a thread waits for its next task
   */
  public ExecutorService pool(int most, Duration idle) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most, most, idle.toNanos(), TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), this);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @Override
  public Thread newThread(Runnable work) {
    Thread thread = new Thread(work, prefix + "-" + made.incrementAndGet());
    thread.setDaemon(daemon);
    thread.setUncaughtExceptionHandler(NamedThreads::logDeath);
    return thread;
  }

  /**
   * Logs the exception that ended a thread; public for threads made elsewhere. An {@link
   * OutOfMemoryError} concerns the whole process, so the default handler of the process is called
   * as well.
   */
  public static void logDeath(Thread thread, Throwable cause) {
    UncaughtExceptionHandler ofTheProcess = Thread.getDefaultUncaughtExceptionHandler();
    if (MEMORY_IS_OUT.isInstance(cause) && ofTheProcess != null) {
      ofTheProcess.uncaughtException(thread, cause);
    }
    LOG.error("thread {} died", thread.getName(), cause);
  }
}
