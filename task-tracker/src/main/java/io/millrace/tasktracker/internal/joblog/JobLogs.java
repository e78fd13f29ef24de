package io.millrace.tasktracker.internal.joblog;

import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.LogReply;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.tasktracker.internal.delivery.BatchSender;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the log of each execution, and sends the lines of all logs.
 *
 * <p>{@link #open} and the logs are thread-safe; everything else is confined to the loop.
 */
public final class JobLogs {
  private static final Logger LOG = LoggerFactory.getLogger(JobLogs.class);

  /** The memory bound of the lines of one request, far below the maximum size of a frame. */
  private static final long MAX_BATCH_BYTES = 512 * 1024;

  private final JobLogConfig config;
  private final TimedExecutor loop;
  private final LogBuffer buffer;
  private final BatchSender<LogLine, LogReply> delivery;
  private final AtomicBoolean lingering = new AtomicBoolean();
  private volatile boolean closed;

  /** Lines that were taken from the buffer and form the next batch. */
  private List<LogLine> left = List.of();

  /** Completed while no line waits or is under way. */
  private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

  /**
   * Creates the logs of a worker.
   *
   * @param tracker sends lines; its future fails if there is no answer in time
   * @param loop runs tasks one at a time, in order
   */
  public JobLogs(
      JobLogConfig config,
      Function<LogRequest, CompletableFuture<LogReply>> tracker,
      TimedExecutor loop) {
    this.config = config;
    this.loop = loop;
    this.buffer = new LogBuffer(config.maxLines(), config.maxBytes());
    this.delivery =
        new BatchSender<>("joblog: lines", LogRequest::new, tracker, config.retryDelay(), loop);
  }

  /** Returns the log of this execution; its lines are numbered from 1. */
  public ExecutionLog open(long executionId) {
    return new ExecutionLog(executionId, this::line);
  }

  /** Sends the waiting lines, unless a batch has no answer yet: then they form the next batch. */
  public void flush() {
    if (delivery.isBusy()) {
      return;
    }
    List<LogLine> batch =
        left.isEmpty() ? buffer.take(LogRequest.MAX_LINES, MAX_BATCH_BYTES) : left;
    if (batch.isEmpty()) {
      logDropped();
      idle.complete(null);
      return;
    }
    if (idle.isDone()) {
      idle = new CompletableFuture<>();
    }
    var unused = delivery.send(batch).thenAccept(this::sent);
  }

  private void sent(BatchSender.Sent<LogLine, LogReply> sent) {
    left = sent.left();
    buffer.acknowledged(sent.items(), loop.clock().now());
    if (sent.rejection() != null) {
      LogLine line = sent.items().get(0);
      LOG.warn(
          "joblog: the tracker rejected line {} of execution {}",
          line.sequence(),
          line.executionId(),
          sent.rejection());
    }
    flush();
  }

  private void logDropped() {
    long dropped = buffer.takeDropped();
    if (dropped > 0) {
      LOG.warn(
          "joblog: dropped {} lines, because jobs logged faster than the tracker stored them",
          dropped);
    }
  }

  public void connected() {
    delivery.connected();
  }

  public void disconnected() {
    delivery.disconnected();
  }

  /** Returns a future that completes when no line waits or is under way. */
  public CompletableFuture<Void> whenIdle() {
    return idle;
  }

  /** Returns the number of lines that the tracker has not stored yet. */
  public int unsent() {
    return buffer.size();
  }

  /** Closes the logs. Lines that are written from now on are lost. */
  public void close() {
    closed = true;
  }

  private void line(LogStream stream, LogLevel level, String text) {
    if (closed) {
      return;
    }
    int waiting = buffer.append(stream, loop.clock().now(), level, text);
    if (waiting == LogRequest.MAX_LINES) {
      loop.execute(this::flush);
    } else if (lingering.compareAndSet(false, true)) {
      loop.execute(this::linger);
    }
  }

  private void linger() {
    loop.schedule(config.linger(), this::lingerOver);
  }

  private void lingerOver() {
    lingering.set(false);
    flush();
  }
}
