package io.millrace.console.browser;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Where each page of the console is, by the name that its pictures have. */
final class ConsolePages {
  /**
   * Those that docs/operating.md has pictures of and that need somebody signed in, in its order.
   */
  static final List<String> IN_PICTURES =
      List.of(
          "overview",
          "late",
          "running",
          "batches",
          "batch",
          "waiting",
          "upcoming",
          "jobs",
          "job",
          "submit",
          "edit",
          "execution",
          "history",
          "timeline",
          "week",
          "dead",
          "dead-trigger",
          "groups",
          "workers",
          "worker",
          "bulk-changes",
          "audit",
          "tokens");

  /** All that need somebody signed in. */
  static final List<String> NAMES =
      Stream.concat(
              IN_PICTURES.stream(),
              Stream.of(
                  "waiting-without-group", "duplicate", "changes", "dead-by-message", "not-found"))
          .toList();

  private ConsolePages() {}

  /** The addresses of all of them. */
  static Map<String, String> of(ConsoleScene scene) {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("overview", "/");
    pages.put("late", "/late");
    pages.put("running", "/running");
    pages.put("batches", "/batches");
    pages.put("batch", "/batches/" + scene.batchUnderWay());
    pages.put("waiting", "/waiting?group=mail&order=name");
    pages.put("waiting-without-group", "/waiting");
    pages.put("upcoming", "/upcoming");
    pages.put("jobs", "/jobs");
    pages.put("job", "/jobs/reports/daily-sales");
    pages.put("submit", "/submit");
    pages.put("edit", "/jobs/reports/daily-sales/edit");
    pages.put("duplicate", "/jobs/reports/daily-sales/duplicate");
    pages.put("changes", "/jobs/reports/daily-sales/changes");
    pages.put("execution", "/executions/" + scene.executionUnderWay());
    pages.put("history", "/history");
    pages.put("timeline", "/timeline");
    pages.put("week", "/week");
    pages.put("dead", "/dead");
    pages.put("dead-by-message", "/dead?by=message");
    pages.put("dead-trigger", "/dead/" + scene.deadTrigger());
    pages.put("groups", "/groups");
    pages.put("workers", "/workers");
    pages.put("worker", "/workers/reports-1?group=reports");
    pages.put("not-found", "/nowhere");
    pages.put("bulk-changes", "/bulk");
    pages.put("audit", "/audit");
    pages.put("tokens", "/tokens");
    return pages;
  }
}
