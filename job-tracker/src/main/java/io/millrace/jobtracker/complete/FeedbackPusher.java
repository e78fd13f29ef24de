package io.millrace.jobtracker.complete;

import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.store.FeedbackStore;
import io.millrace.jobtracker.store.result.JobResultStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the ends of triggers to client groups, to one connected client of each group, and keeps
 * those that are not acknowledged. A client that rejects them or answers slowly delays only its own
 * group, for at most 30 seconds a push. Driven by one timer, whose runs never overlap.
 */
public final class FeedbackPusher {
  private static final Logger LOG = LoggerFactory.getLogger(FeedbackPusher.class);
  private static final int BATCH = 100;

  /** The bytes of results in one push, far below the largest frame; one result may exceed them. */
  private static final int MAX_RESULT_BYTES = 1 << 20;

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  private final FeedbackStore feedback;
  private final JobResultStore results;
  private final Supplier<Set<String>> clientGroups;
  private final Function<String, List<Session>> clients;
  private final Executor executor;
  private final Runnable wake;
  private final LogLimiter log;
  private final Map<String, CompletableFuture<?>> underWay = new HashMap<>();
  private final Map<String, Integer> turns = new HashMap<>();

  /**
   * Makes a pusher.
   *
   * @param clientGroups the client groups that have a client connected
   * @param clients the open connections of a client group
   * @param wake requests another run after feedback was acknowledged
   */
  public FeedbackPusher(
      FeedbackStore feedback,
      JobResultStore results,
      Supplier<Set<String>> clientGroups,
      Function<String, List<Session>> clients,
      TimedExecutor time,
      Runnable wake) {
    this.feedback = feedback;
    this.results = results;
    this.clientGroups = clientGroups;
    this.clients = clients;
    this.executor = time.executor();
    this.log = new LogLimiter(time.clock());
    this.wake = wake;
  }

  /**
   * Starts one push for every connected client group that has waiting feedback and no push under
   * way; returns the number of pushes.
   */
  public int runOnce() {
    underWay.values().removeIf(CompletableFuture::isDone);
    Set<String> connected = clientGroups.get();
    turns.keySet().retainAll(connected);
    int pushes = 0;
    for (String group : connected) {
      if (!underWay.containsKey(group)) {
        List<Feedback> rows = withResults(feedback.read(group, Long.MIN_VALUE, BATCH));
        List<Session> sessions = clients.apply(group);
        if (!rows.isEmpty() && !sessions.isEmpty()) {
          push(group, rows, sessions);
          pushes++;
        }
      }
    }
    return pushes;
  }

  /**
   * Adds the results of jobs, and cuts off the rows that exceed the bytes of a push. A result that
   * was purged is left out.
   */
  private List<Feedback> withResults(List<Feedback> rows) {
    List<Long> wanted =
        rows.stream().map(Feedback::executionId).filter(Objects::nonNull).distinct().toList();
    if (wanted.isEmpty()) {
      return rows;
    }
    Map<Long, Integer> sizes = results.sizes(wanted);
    List<Feedback> fitting = new ArrayList<>();
    List<Long> ids = new ArrayList<>();
    long bytes = 0;
    for (Feedback row : rows) {
      Integer size = row.executionId() == null ? null : sizes.get(row.executionId());
      if (size != null && bytes > 0 && bytes + size > MAX_RESULT_BYTES) {
        break;
      }
      if (size != null) {
        bytes += size;
        ids.add(row.executionId());
      }
      fitting.add(row);
    }
    Map<Long, String> texts = ids.isEmpty() ? Map.of() : results.find(ids);
    return fitting.stream().map(row -> row.withResultOf(texts)).toList();
  }

  /**
   * Pushes to the clients of a group in turn, so that one stuck client does not block the feedback
   * of the group.
   */
  private void push(String group, List<Feedback> rows, List<Session> sessions) {
    int turn = turns.merge(group, 1, Integer::sum);
    Session session = sessions.get(Math.floorMod(turn, sessions.size()));
    LOG.debug("feedback: sending client group {} {} of its results", group, rows.size());
    FeedbackRequest request = new FeedbackRequest(rows.stream().map(Feedback::result).toList());
    underWay.put(
        group,
        session
            .call(request, ANSWER_TIMEOUT)
            .thenAcceptAsync(reply -> acknowledged(rows, reply), executor)
            .exceptionally(
                failure -> {
                  notTaken(group, failure);
                  return null;
                }));
  }

  /**
   * Logs a failed push. A client that disconnects or rejects is no fault of this process and
   * determines how often it happens, so the rate of these log lines is limited.
   */
  private void notTaken(String group, Throwable failure) {
    Throwable cause = Completions.causeOf(failure);
    if (cause instanceof RpcException) {
      log.write(
          "rejected by " + group,
          ending ->
              LOG.info(
                  "feedback: client group {} did not accept its results: {}{}",
                  group,
                  cause.getMessage(),
                  ending));
    } else {
      LOG.warn("feedback: results of client group {} will be sent again", group, cause);
    }
  }

  private void acknowledged(List<Feedback> rows, FeedbackReply reply) {
    int handled = Math.max(0, Math.min(reply.handled(), rows.size()));
    feedback.delete(rows.subList(0, handled).stream().map(Feedback::id).toList());
    if (handled > 0) {
      executor.execute(wake);
    }
  }
}
