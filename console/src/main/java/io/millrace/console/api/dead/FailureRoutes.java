package io.millrace.console.api.dead;

import io.millrace.console.api.Languages;
import io.millrace.console.http.Call;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The route that groups open dead triggers by what they died of. */
public record FailureRoutes(DeadStore store, LedgerStore ledger) {

  /** The most dead triggers that are grouped, the newest ones. */
  private static final int MOST = 1_000;

  private static final int JOBS_NAMED = 3;

  /** A job of which a trigger died. */
  public record FailedJob(String nodeGroup, String taskId) {}

  /**
   * Open dead triggers of the same cause and the same first line of the message. UUIDs, times,
   * numbers of four digits or more, and hexadecimal numbers of eight or more do not count.
   *
   * @param like id of the newest one; the list of dead triggers takes it as {@code like}
   * @param cause of the newest one
   * @param message first line of the message of the newest one, cut; null if it said nothing
   * @param differ whether causes or messages differ in what does not count
   * @param firstAt when the first of them died
   * @param lastAt when the newest one died
   * @param jobs number of their jobs
   * @param someJobs the jobs of the newest ones, at most three
   * @param ids of all of them, the newest first
   */
  public record FailureGroup(
      String like,
      @Nullable String cause,
      @Nullable String message,
      boolean differ,
      Instant firstAt,
      Instant lastAt,
      int jobs,
      List<FailedJob> someJobs,
      List<String> ids) {}

  /**
   * The groups, the largest first.
   *
   * @param examined number of dead triggers in the groups
   * @param more whether there are older ones that match and are in no group
   */
  public record FailureGroups(List<FailureGroup> items, int examined, boolean more) {}

  public List<Route> routes() {
    return List.of(
        DeadRoutes.ALL
            .get(
                "/failures",
                "groupFailures",
                "Open dead triggers, grouped by cause and message: the newest 1,000 that match")
            .with(
                DeadFilter.GROUP,
                DeadFilter.TASK,
                DeadFilter.FROM,
                DeadFilter.TO,
                Languages.LANGUAGE)
            .answers(FailureGroups.class, this::group));
  }

  private Object group(Call call) {
    DeadStore.Found found =
        store.search(
            DeadFilter.of(call, DeadState.OPEN),
            AgeOrder.NEWEST_FIRST,
            null,
            MOST,
            DeadFilter.LOOK_AT);
    FirstLines messages = FirstLines.read(ledger, found.dead());
    Map<FailureKind, List<DeadTrigger>> kinds =
        found.dead().stream()
            .collect(
                Collectors.groupingBy(
                    dead -> FailureKind.of(dead, messages),
                    LinkedHashMap::new,
                    Collectors.toList()));
    Locale language = call.get(Languages.LANGUAGE);
    List<FailureGroup> groups =
        kinds.values().stream()
            .map(dead -> group(dead, messages, language))
            .sorted(Comparator.comparingInt((FailureGroup group) -> -group.ids().size()))
            .toList();
    return new FailureGroups(groups, found.dead().size(), found.last() != null);
  }

  /** Groups are never empty; the newest is first. */
  private static FailureGroup group(List<DeadTrigger> dead, FirstLines messages, Locale language) {
    List<DeadTriggerSummary> rows =
        dead.stream().map(each -> DeadTriggerSummary.of(each, messages, language)).toList();
    DeadTriggerSummary newest = rows.get(0);
    List<FailedJob> jobs =
        rows.stream().map(row -> new FailedJob(row.nodeGroup(), row.taskId())).distinct().toList();
    return new FailureGroup(
        newest.id(),
        newest.cause(),
        newest.message(),
        rows.stream().map(row -> new FailureKind(row.cause(), row.message())).distinct().count()
            > 1,
        rows.get(rows.size() - 1).diedAt(),
        newest.diedAt(),
        jobs.size(),
        jobs.stream().limit(JOBS_NAMED).toList(),
        rows.stream().map(DeadTriggerSummary::id).toList());
  }
}
