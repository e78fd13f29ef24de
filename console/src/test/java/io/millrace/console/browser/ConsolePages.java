package io.millrace.console.browser;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where each page of the console is, by the name that its pictures have. */
final class ConsolePages {
  /** Those that need somebody signed in, in the order of docs/operating.md. */
  static final List<String> NAMES =
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
          "audit",
          "tokens");

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
    pages.put("upcoming", "/upcoming");
    pages.put("jobs", "/jobs");
    pages.put("job", "/jobs/reports/daily-sales");
    pages.put("submit", "/submit");
    pages.put("edit", "/jobs/reports/daily-sales/edit");
    pages.put("execution", "/executions/" + scene.executionUnderWay());
    pages.put("history", "/history");
    pages.put("timeline", "/timeline");
    pages.put("week", "/week");
    pages.put("dead", "/dead");
    pages.put("dead-trigger", "/dead/" + scene.deadTrigger());
    pages.put("groups", "/groups");
    pages.put("workers", "/workers");
    pages.put("worker", "/workers/reports-1?group=reports");
    pages.put("audit", "/audit");
    pages.put("tokens", "/tokens");
    return pages;
  }
}
