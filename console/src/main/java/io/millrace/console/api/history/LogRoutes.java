package io.millrace.console.api.history;

import io.millrace.console.api.JobFinder;
import io.millrace.console.api.Paths;
import io.millrace.console.http.Call;
import io.millrace.console.http.EventStream;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.console.http.TextFile;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.store.JobLogStore.Filter;
import io.millrace.jobtracker.store.JobLogStore.Found;
import io.millrace.jobtracker.store.Stores;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes for the log lines of executions, as pages, as a text file and as a stream. */
public final class LogRoutes {
  private static final Resource LOG = ExecutionRoutes.EXECUTION.below("/log");
  private static final Param<Integer> AFTER =
      Param.query(
          "after",
          ParamForm.integer(0, Integer.MAX_VALUE),
          0,
          "Lines with a higher sequence number than this");
  private static final Param<Integer> BEFORE =
      Param.query(
          "before",
          ParamForm.integer(1, Integer.MAX_VALUE),
          "The last lines with a lower sequence number than this, for reading backwards;"
              + " 2147483647 for the end of the log");
  private static final Param<LogLevel> LEVEL =
      Param.query(
          "level",
          ParamForm.choice(LogLevel.class),
          "Only lines of this level or a higher one; UNKNOWN, of a newer protocol, is the highest");
  private static final Param<String> CONTAINS =
      Param.query(
          "contains", ParamForm.text(256), "Only lines that contain this text, ignoring case");

  /** The most lines that a request with a condition reads. */
  private static final int LOOK_AT = 5_000;

  private final Stores stores;
  private final JobFinder finder;
  private final LogReaders readers;

  public LogRoutes(Stores stores, TimedExecutor time) {
    this.stores = stores;
    this.finder = new JobFinder(stores);
    this.readers = new LogReaders(stores, time);
  }

  /**
   * A line of a job's log.
   *
   * @param sequence from 1, increasing; gaps mean dropped lines
   * @param at by the worker's clock
   */
  public record LogItem(int sequence, Instant at, LogLevel level, String text) {

    static LogItem of(LogLine line) {
      return new LogItem(line.sequence(), line.at(), line.level(), line.text());
    }
  }

  /**
   * Lines of a log, in the order in which the job wrote them. A request with a level or a text
   * reads a bounded number of lines: its answer may have few or no lines although more match.
   *
   * @param next the after of the next request, or its before when reading backwards; null if there
   *     are no more lines now
   */
  public record LogPage(List<LogItem> items, @Nullable String next) {}

  public List<Route> routes() {
    Scope scope = Scope.ofIds(call -> List.of(finder.execution(call.get(ExecutionRoutes.ID))));
    return List.of(
        LOG.get("", "readLog", "The log of an execution")
            .within(scope)
            .with(AFTER, BEFORE, LEVEL, CONTAINS, Paths.LIMIT)
            .answers(LogPage.class, this::read),
        LOG.get("/text", "downloadLog", "The whole log as a text file")
            .within(scope)
            .answersFile(this::download),
        LOG.get(
                "/stream",
                "followLog",
                "The log as a stream: events named line, whose id is the sequence number, and"
                    + " finally an event end")
            .within(scope)
            .with(AFTER)
            .streams(new Following()));
  }

  private Object read(Call call) {
    long id = call.get(ExecutionRoutes.ID);
    requireExecution(id);
    Found found = find(id, call);
    return new LogPage(
        found.lines().stream().map(LogItem::of).toList(),
        found.next() == null ? null : String.valueOf(found.next()));
  }

  private Found find(long id, Call call) {
    Filter filter = new Filter(call.find(LEVEL).orElse(null), call.find(CONTAINS).orElse(null));
    int after = call.get(AFTER);
    int limit = call.get(Paths.LIMIT);
    Optional<Integer> before = call.find(BEFORE);
    if (before.isEmpty()) {
      return stores.jobLog().searchAfter(id, after, filter, limit, LOOK_AT);
    }
    if (after > 0) {
      throw Kind.BAD_REQUEST.because(
          "the query parameter before cannot be combined with the query parameter after");
    }
    return stores.jobLog().searchBefore(id, before.get(), filter, limit, LOOK_AT);
  }

  private TextFile download(Call call) {
    long id = call.get(ExecutionRoutes.ID);
    requireExecution(id);
    return new TextFile("execution-" + id + ".log", new LogText(stores.jobLog(), id));
  }

  private void requireExecution(long id) {
    if (finder.groupOfExecution(id).isEmpty()) {
      throw Kind.NOT_FOUND.because("there is no execution " + id);
    }
  }

  /**
   * Streams a log. A client that reconnects sends the id of the last line it received, so a broken
   * stream loses no lines.
   */
  private final class Following implements Route.Streamer {
    @Override
    public void check(Call call) {
      requireExecution(call.get(ExecutionRoutes.ID));
      int unused = lastHad(call);
    }

    @Override
    public void stream(Call call, EventStream events) {
      readers.add(call.get(ExecutionRoutes.ID), lastHad(call), events);
    }

    private int lastHad(Call call) {
      String lastEventId = call.lastEventId().orElse("");
      if (lastEventId.isEmpty()) {
        return call.get(AFTER);
      }
      try {
        return Math.max(call.get(AFTER), Integer.parseInt(lastEventId));
      } catch (NumberFormatException e) {
        throw Kind.BAD_REQUEST.because(
            "the header Last-Event-ID is not the sequence number of a line");
      }
    }
  }
}
