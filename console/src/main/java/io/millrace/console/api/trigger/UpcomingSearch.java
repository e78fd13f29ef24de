package io.millrace.console.api.trigger;

import io.millrace.console.api.Timetable;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what will run in (now, until], group by group, until there is no more or its budgets
 * are spent: what it reads is bounded, whatever waits. Not thread-safe; one for each request.
 *
 * <p>Triggers are written some minutes ahead. A job that has a fire time beyond those comes to be
 * generated <em>before</em> the first of them, so the jobs that are to be generated until then are
 * all whose schedules matter; what else will run waits already.
 */
final class UpcomingSearch {
  static final int MOST_GROUPS = 50;
  static final int MOST_JOBS = 500;
  static final int MOST_ROWS = 1_000;
  static final int MOST_FIRES = 60;

  private final Stores stores;
  private final Timetable timetable;
  private final Locale language;
  private final Instant now;
  private final Instant until;
  private final List<UpcomingJob> found = new ArrayList<>();
  private int groupsLeft = MOST_GROUPS;
  private int jobsLeft = MOST_JOBS;
  private int rowsLeft = MOST_ROWS;
  private boolean complete = true;

  UpcomingSearch(Stores stores, Timetable timetable, Locale language, Instant now, Instant until) {
    this.stores = stores;
    this.timetable = timetable;
    this.language = language;
    this.now = now;
    this.until = until;
  }

  /** What was found in the groups that were looked at. */
  Upcoming found() {
    found.sort(
        Comparator.comparing((UpcomingJob job) -> job.fires().get(0))
            .thenComparing(UpcomingJob::nodeGroup)
            .thenComparing(UpcomingJob::taskId));
    return new Upcoming(now, until, complete, List.copyOf(found));
  }

  /** Looks at one more node group, if there is a budget left. */
  void lookAt(String group) {
    if (groupsLeft == 0) {
      complete = false;
      return;
    }
    groupsLeft--;
    Map<String, JobDefinition> jobs = new HashMap<>();
    Map<String, Set<Instant>> fires = new TreeMap<>();
    for (JobDefinition job : toBeGenerated(group)) {
      jobs.put(job.taskId(), job);
      if (!job.spec().chained()) {
        fires.computeIfAbsent(job.taskId(), task -> new TreeSet<>()).addAll(bySchedule(job));
      }
    }
    List<WaitingTrigger> rows = waiting(group);
    addDefinitions(group, rows, jobs);
    Map<String, WaitingTrigger> oneShots = new HashMap<>();
    for (WaitingTrigger row : rows) {
      String task = row.key().taskId();
      if (!row.isOfRecurringJob()) {
        oneShots.put(task, row);
      }
      if (!row.isOfRecurringJob() || willRun(row, jobs.get(task))) {
        fires
            .computeIfAbsent(task, unused -> new TreeSet<>())
            .add(Instant.ofEpochMilli(row.dueAt()));
      }
    }
    fires.values().removeIf(Set::isEmpty);
    fires.forEach(
        (task, instants) -> {
          JobDefinition job = jobs.get(task);
          WaitingTrigger oneShot = oneShots.get(task);
          if (oneShot != null) {
            found.add(oneShot(group, oneShot, instants));
          } else if (job != null) {
            found.add(recurring(job, instants));
          }
        });
  }

  /** All jobs with a fire time in this time that no trigger is written for, and some without. */
  private List<JobDefinition> toBeGenerated(String group) {
    List<JobDefinition> jobs =
        stores.jobs().findToGenerate(group, until.toEpochMilli(), jobsLeft + 1);
    List<JobDefinition> looked = withinBudget(jobs, jobsLeft);
    jobsLeft -= looked.size();
    return looked;
  }

  private <T> List<T> withinBudget(List<T> read, int budget) {
    if (read.size() <= budget) {
      return read;
    }
    complete = false;
    return read.subList(0, budget);
  }

  private List<Instant> bySchedule(JobDefinition job) {
    return timetable.between(
        job.schedule(), Instant.ofEpochMilli(job.acceptedAt()), now, until, MOST_FIRES + 1);
  }

  private List<WaitingTrigger> waiting(String group) {
    List<WaitingTrigger> rows = new ArrayList<>();
    Optional<WaitingStore.Level> level = stores.waiting().nextLevel(group, -1);
    while (level.isPresent() && rows.size() <= rowsLeft) {
      int priority = level.get().priority();
      if (level.get().earliestDueAt() <= until.toEpochMilli()) {
        rows.addAll(readDue(group, priority, rowsLeft + 1 - rows.size()));
      }
      level = stores.waiting().nextLevel(group, priority);
    }
    List<WaitingTrigger> looked = withinBudget(rows, rowsLeft);
    rowsLeft -= looked.size();
    return looked;
  }

  private List<WaitingTrigger> readDue(String group, int priority, int limit) {
    return stores
        .waiting()
        .readDue(group, priority, now.toEpochMilli(), until.toEpochMilli(), limit);
  }

  private void addDefinitions(
      String group, List<WaitingTrigger> rows, Map<String, JobDefinition> jobs) {
    List<String> unknown =
        rows.stream()
            .filter(WaitingTrigger::isOfRecurringJob)
            .map(row -> row.key().taskId())
            .filter(task -> !jobs.containsKey(task))
            .distinct()
            .toList();
    if (!unknown.isEmpty()) {
      jobs.putAll(
          stores.jobs().findByTasks(group, unknown).stream()
              .collect(Collectors.toMap(JobDefinition::taskId, job -> job)));
    }
  }

  /** Of a paused job only what somebody has asked for besides its schedule runs. */
  private static boolean willRun(WaitingTrigger row, @Nullable JobDefinition job) {
    return job != null
        && (job.state() == JobState.ACTIVE
            || (job.state() == JobState.PAUSED && row.key().isExtra()));
  }

  private UpcomingJob recurring(JobDefinition job, Set<Instant> fires) {
    return new UpcomingJob(
        job.nodeGroup(),
        job.taskId(),
        true,
        job.priority(),
        job.spec().handler(),
        timetable.words(job.schedule(), language),
        fires.stream().limit(MOST_FIRES).toList(),
        fires.size() > MOST_FIRES);
  }

  private static UpcomingJob oneShot(String group, WaitingTrigger row, Set<Instant> fires) {
    return new UpcomingJob(
        group,
        row.key().taskId(),
        false,
        row.priority(),
        row.spec() == null ? null : row.spec().handler(),
        null,
        List.copyOf(fires),
        false);
  }
}
