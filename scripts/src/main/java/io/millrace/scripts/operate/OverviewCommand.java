package io.millrace.scripts.operate;

import io.millrace.console.api.fleet.ActivityCounts;
import io.millrace.console.api.fleet.OverviewRoutes.LateGroup;
import io.millrace.console.api.fleet.OverviewRoutes.Overview;
import io.millrace.console.api.fleet.OverviewRoutes.Pace;
import io.millrace.jobtracker.store.console.GroupLoadStore.Totals;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.option.ApiOptions;
import io.millrace.scripts.output.Counted;
import io.millrace.scripts.output.Details;
import io.millrace.scripts.output.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace overview}: shows the state of the whole system. */
@Command(
    name = "overview",
    sortOptions = false,
    description =
        "Shows the running work, the activity of the last hour and day, and which node groups"
            + " are late and why.")
public final class OverviewCommand implements Callable<Integer> {
  private static final Table<LateGroup> LATE =
      new Table<LateGroup>()
          .text("LATE GROUP", LateGroup::name)
          .number("BY", LateGroup::lateBy)
          .number("BACKLOG", row -> Counted.of(row.backlog(), row.atLeast()))
          .text("BECAUSE", LateGroup::text);

  @Mixin private ApiOptions api = new ApiOptions();

  /** The number of triggers that ended in one way. */
  private record Ends(String what, long hour, long day) {}

  @Override
  public Integer call() throws InterruptedException {
    api.operator().look(ApiPath.of("overview"), Overview.class, OverviewCommand::print);
    return ExitCode.OK;
  }

  private static void print(Overview overview, PrintWriter out) {
    Pace now = overview.now();
    Totals totals = overview.totals();
    new Details()
        .add("backlog", Counted.of(totals.backlog(), totals.backlogAtLeast()) + " due and waiting")
        .add("executing", totals.executing())
        .add("started", perSecond(now.startedPerSecond()))
        .add("ended", perSecond(now.endedPerSecond()))
        .add("lateness", lateness(now))
        .add("workers", totals.workers() + ", " + totals.drainingWorkers() + " draining")
        .add("slots", totals.slotsInUse() + " of " + totals.slots() + " in use")
        .add("node groups", totals.groups())
        .add("trackers", overview.trackers())
        .print(out);
    out.println();
    ends(overview.lastHour(), overview.lastDay(), out);
    if (!overview.late().isEmpty()) {
      out.println();
      LATE.on(out).print(overview.late());
    }
  }

  private static void ends(ActivityCounts hour, ActivityCounts day, PrintWriter out) {
    new Table<Ends>()
        .text("TRIGGERS", Ends::what)
        .number("LAST HOUR", Ends::hour)
        .number("LAST DAY", Ends::day)
        .on(out)
        .print(
            List.of(
                line("planned", ActivityCounts::planned, hour, day),
                line("started", ActivityCounts::started, hour, day),
                line("succeeded", ActivityCounts::succeeded, hour, day),
                line("failed", ActivityCounts::failed, hour, day),
                line("dead", ActivityCounts::dead, hour, day),
                line("cancelled", ActivityCounts::cancelled, hour, day),
                line("skipped", ActivityCounts::skipped, hour, day),
                line("retried", ActivityCounts::retried, hour, day),
                line("rescued", ActivityCounts::rescued, hour, day)));
  }

  private static Ends line(
      String what, ToLongFunction<ActivityCounts> count, ActivityCounts hour, ActivityCounts day) {
    return new Ends(what, count.applyAsLong(hour), count.applyAsLong(day));
  }

  private static String perSecond(double rate) {
    return String.format(Locale.ROOT, "%.1f a second", rate);
  }

  private static String lateness(Pace now) {
    return String.format(
        Locale.ROOT,
        "%.1f ms on average, %d ms at most",
        now.averageLatenessMillis(),
        now.maxLatenessMillis());
  }
}
