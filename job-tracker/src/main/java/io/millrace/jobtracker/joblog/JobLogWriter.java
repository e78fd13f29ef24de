package io.millrace.jobtracker.joblog;

import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.LogReply;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.pipeline.PipelineBounds;
import io.millrace.jobtracker.pipeline.WaitingBytes;
import io.millrace.jobtracker.pipeline.WritePipeline;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.Stores;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores log lines through a pipeline of its own: a flood of lines fills only that pipeline, is
 * rejected for the time being, and slows nothing else. A line is kept only if its execution was run
 * by the worker that sent it. Thread-safe.
 */
public final class JobLogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(JobLogWriter.class);
  private static final int MAX_BATCH = 8;
  private static final int MAX_WAITING = 64;

  /** The most bytes of lines that wait to be stored; a flood beyond that is rejected. */
  private static final long MAX_WAITING_BYTES = 32 << 20;

  private record Lines(Peer worker, List<LogLine> lines) {}

  private final Stores stores;
  private final StoreQuotas quotas;
  private final LoggedBytes logged;
  private final LogLimiter log;
  private final WritePipeline<Lines, LogReply> pipeline;

  /**
   * @param quotas whether there is room for more lines
   * @param time its executor stores lines; its clock limits the warnings about lines of other
   *     workers
   */
  public JobLogWriter(Stores stores, StoreQuotas quotas, TimedExecutor time) {
    this.stores = stores;
    this.quotas = quotas;
    this.logged = new LoggedBytes(stores.jobLog(), quotas.config().jobLogBytesOfExecution());
    this.log = new LogLimiter(time.clock());
    this.pipeline =
        new WritePipeline<>(
            "job log",
            time.executor(),
            new PipelineBounds<>(
                MAX_BATCH,
                MAX_WAITING_BYTES / 4,
                MAX_WAITING,
                new WaitingBytes(MAX_WAITING_BYTES),
                JobLogWriter::bytes),
            this::store);
  }

  /** Stores a worker's lines; the reply is sent after the commit. */
  public CompletableFuture<LogReply> log(Peer worker, LogRequest request) {
    if (request.lines().size() > LogRequest.MAX_LINES
        || request.lines().stream()
            .anyMatch(line -> line.text().length() > LogLine.MAX_TEXT_CHARS)) {
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.BAD_REQUEST,
              "a request can have at most "
                  + LogRequest.MAX_LINES
                  + " lines of "
                  + LogLine.MAX_TEXT_CHARS
                  + " characters"));
    }
    return pipeline.write(new Lines(worker, request.lines()));
  }

  /** A character may take three bytes. */
  private static long bytes(Lines lines) {
    return 3 * lines.lines().stream().mapToLong(line -> line.text().length()).sum();
  }

  private List<LogReply> store(List<Lines> batch) {
    String full = quotas.faultOfJobLog();
    if (full != null) {
      log.write("full", ending -> LOG.warn("joblog: lines are not stored: {}{}", full, ending));
      return batch.stream().map(unused -> new LogReply(0)).toList();
    }
    Stored stored =
        stores.transactions().repeating("store job log", () -> storeAll(batch, logged.begin()));
    stored.count().committed();
    quotas.logged(stored.count().bytes());
    return stored.replies();
  }

  /** The replies of a transaction, and its byte counts, which are valid once it has committed. */
  private record Stored(List<LogReply> replies, LoggedBytes.Count count) {}

  private Stored storeAll(List<Lines> batch, LoggedBytes.Count count) {
    List<LogReply> replies = new ArrayList<>();
    for (Lines lines : batch) {
      List<LogLine> kept = count.admit(ownLines(lines));
      replies.add(new LogReply(kept.isEmpty() ? 0 : stores.jobLog().append(kept)));
    }
    return new Stored(replies, count);
  }

  private List<LogLine> ownLines(Lines lines) {
    Set<Long> own = executionsOf(lines);
    List<LogLine> kept = new ArrayList<>();
    for (LogLine line : lines.lines()) {
      if (own.contains(line.executionId())) {
        kept.add(line);
      }
    }
    int strange = lines.lines().size() - kept.size();
    if (strange > 0) {
      log.write(
          "strange " + lines.worker().nodeId(),
          ending ->
              LOG.warn(
                  "joblog: dropped {} lines of worker {} about executions that are not its own{}",
                  strange,
                  lines.worker().nodeId(),
                  ending));
    }
    return kept;
  }

  /**
   * Those executions of the lines that the worker ran. Asks the tables in the order in which an
   * execution moves: lines may arrive after its end, which leaves a run that it split as a batch.
   */
  private Set<Long> executionsOf(Lines lines) {
    Asked asked = new Asked(lines);
    stores.executing().find(asked.open).forEach(row -> asked.answer(row.id(), row.workerId()));
    if (!asked.open.isEmpty()) {
      stores
          .batchViews()
          .find(asked.open)
          .forEach(row -> asked.answer(row.id(), row.run().workerId()));
    }
    if (!asked.open.isEmpty()) {
      stores.ledger().find(asked.open).forEach(row -> asked.answer(row.id(), row.workerId()));
    }
    return asked.own;
  }

  /** Executions of which a worker has sent lines: those not found yet, and those that it ran. */
  private static final class Asked {
    private final String workerId;
    private final Set<Long> open;
    private final Set<Long> own = new HashSet<>();

    Asked(Lines lines) {
      this.workerId = lines.worker().nodeId();
      this.open = lines.lines().stream().map(LogLine::executionId).collect(Collectors.toSet());
    }

    void answer(long id, @Nullable String ranAt) {
      open.remove(id);
      if (workerId.equals(ranAt)) {
        own.add(id);
      }
    }
  }
}
