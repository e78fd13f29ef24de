package io.millrace.tasktracker.internal.keep;

import io.millrace.api.KeepException;
import io.millrace.api.NotRetryableException;
import io.millrace.api.ValueMapper;
import io.millrace.internal.protocol.PartResult;
import io.millrace.internal.protocol.PartsReply;
import io.millrace.internal.protocol.PartsRequest;
import io.millrace.internal.protocol.StageReply;
import io.millrace.internal.protocol.StageRequest;
import io.millrace.internal.protocol.StagedPart;
import io.millrace.tasktracker.internal.execute.AttemptContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts that one attempt makes of its run, and the ends of those that ran before it. Its
 * methods wait for a tracker, so they are called by the invocation. Thread-safe.
 */
public final class RunParts implements OpenRun {
  private final AttemptContext attempt;
  private final RepeatedRequests requests;
  private final Answers answers;
  private final ValueMapper values;
  private final Consumer<OpenRun> closed;
  private final ReentrantLock staging = new ReentrantLock();
  private int staged;
  private @Nullable RuntimeException fault;

  RunParts(
      AttemptContext attempt,
      RepeatedRequests requests,
      Answers answers,
      ValueMapper values,
      Consumer<OpenRun> closed) {
    this.attempt = attempt;
    this.requests = requests;
    this.answers = answers;
    this.values = values;
    this.closed = closed;
    attempt.whenLost(() -> end(new KeepException(attempt + " was lost", null)));
  }

  /**
   * Stores parts, and returns when all are stored.
   *
   * @param handler name of their runner; null means that of the run
   * @throws NotRetryableException if a part is not allowed, or there are too many or too large ones
   * @throws KeepException if no tracker stores them
   */
  public void map(@Nullable String handler, Collection<? extends Map<String, ?>> parts) {
    lock();
    try {
      requireComplete();
      stage(new PartForm(attempt, handler, values), parts);
      attempt.splitsInto(staged);
    } catch (RuntimeException e) {
      fault = e;
      throw e;
    } finally {
      staging.unlock();
    }
  }

  private void lock() {
    try {
      staging.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KeepException(attempt + " was interrupted while it stored parts", e);
    }
  }

  /**
   * Throws what a call of {@link #map} has thrown, if any: an attempt that did not store all of its
   * parts must not succeed, even if its handler goes on.
   */
  public void requireComplete() {
    RuntimeException known;
    staging.lock();
    try {
      known = fault;
    } finally {
      staging.unlock();
    }
    if (known != null) {
      throw known;
    }
  }

  private void stage(PartForm form, Collection<? extends Map<String, ?>> parts) {
    List<StagedPart> next = new ArrayList<>();
    long bytes = 0;
    for (Map<String, ?> params : parts) {
      StagedPart part = form.of(staged + next.size() + 1, params);
      long size = part.bytes();
      if (next.size() == StageRequest.MAX_PARTS || bytes + size > StageRequest.MAX_BYTES) {
        send(next);
        next.clear();
        bytes = 0;
      }
      next.add(part);
      bytes += size;
    }
    if (!next.isEmpty()) {
      send(next);
    }
  }

  private void send(List<StagedPart> parts) {
    StageReply reply =
        answers.await(
            requests.ask(new StageRequest(attempt.executionId(), staged + 1, parts)), attempt);
    String why = reply.message() == null ? "the tracker said " + reply.status() : reply.message();
    switch (reply.status()) {
      case STORED -> staged += parts.size();
      case TOO_MANY, TOO_DEEP, TOO_LARGE ->
          throw new NotRetryableException(
              "%s: parts from number %d on cannot be stored: %s"
                  .formatted(attempt, staged + 1, why));
      case LOST -> throw lost();
      case CONFLICT, REFUSED, UNKNOWN ->
          throw new KeepException(
              "%s: parts from number %d on were not stored: %s".formatted(attempt, staged + 1, why),
              null);
    }
  }

  /** Returns the ends of the run's parts, in the order of their numbers, read page by page. */
  public Iterator<PartResult> results() {
    return new PartPages(this::page);
  }

  private PartsReply page(int above) {
    PartsReply page =
        answers.await(requests.ask(new PartsRequest(attempt.executionId(), above)), attempt);
    if (!page.held()) {
      throw lost();
    }
    return page;
  }

  private KeepException lost() {
    return new KeepException(attempt + " no longer belongs to this worker", null);
  }

  /** Closes it when the invocation has ended. */
  public void close() {
    end(new KeepException(attempt + " has ended: it has no parts any more", null));
    closed.accept(this);
  }

  @Override
  public void end(KeepException why) {
    requests.end(why);
  }
}
