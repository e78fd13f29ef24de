package io.millrace.tasktracker.internal.keep;

import io.millrace.api.KeepException;
import io.millrace.api.ValueMapper;
import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.tasktracker.internal.execute.AttemptContext;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens what each attempt keeps and its parts, and ends them with the worker. Thread-safe. */
public final class KeptRuns {
  private final KeepCalls tracker;
  private final ValueMapper values;
  private final Duration retryDelay;
  private final TimedExecutor loop;
  private final Answers answers;
  private final ProgressBoard progress;
  private final LogLimiter log;
  private final Set<OpenRun> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param retryDelay the pause before a request is sent again
   * @param loop runs tasks one at a time, in order
   */
  public KeptRuns(
      KeepCalls tracker,
      ValueMapper values,
      Duration retryDelay,
      TimedExecutor loop,
      Answers answers,
      ProgressBoard progress) {
    this.tracker = tracker;
    this.values = values;
    this.retryDelay = retryDelay;
    this.loop = loop;
    this.answers = answers;
    this.progress = progress;
    this.log = new LogLimiter(loop.clock());
  }

  /** Opens what an attempt keeps; nothing is sent before it is used. */
  public KeptRun open(AttemptContext attempt) {
    KeepSender sender = new KeepSender(attempt.executionId(), requestsOf(attempt), loop);
    return opened(new KeptRun(attempt, sender, values, loop, answers, progress, open::remove));
  }

  /** Opens the parts of an attempt; nothing is sent before they are used. */
  public RunParts openParts(AttemptContext attempt) {
    return opened(new RunParts(attempt, requestsOf(attempt), answers, values, open::remove));
  }

  private RepeatedRequests requestsOf(AttemptContext attempt) {
    return new RepeatedRequests(attempt.executionId(), tracker, retryDelay, loop, log);
  }

  private <T extends OpenRun> T opened(T run) {
    open.add(run);
    if (closed) {
      run.end(whyClosed());
    }
    return run;
  }

  /** Ends every invocation's wait, because the worker is closed. */
  public void close() {
    closed = true;
    open.forEach(run -> run.end(whyClosed()));
  }

  private static KeepException whyClosed() {
    return new KeepException("the worker is closed: nothing is kept any more", null);
  }
}
