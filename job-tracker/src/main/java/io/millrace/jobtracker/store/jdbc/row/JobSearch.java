package io.millrace.jobtracker.store.jdbc.row;

import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.store.JobStore.FoundJob;
import io.millrace.jobtracker.store.JobStore.FoundJobs;
import io.millrace.jobtracker.store.JobStore.Place;
import io.millrace.jobtracker.store.JobStore.Search;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.order.Direction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Searches jobs in order of key, one node group after the other: each group is a range of the key's
 * index; a condition over all groups would not be one.
 */
public final class JobSearch {
  /** The maximum of node groups that one search reads. */
  static final int MAX_GROUPS = 100;

  /** Who declares the job: one look into the index over the keys of what was declared. */
  private static final String OWNER =
      """
      (SELECT owner FROM jt_declared
        WHERE jt_declared.node_group = jt_job.node_group
          AND jt_declared.task_id = jt_job.task_id AND retired_at IS NULL)""";

  private static final String SELECT =
      "SELECT %s, running, queued, %s AS owner FROM jt_job "
          .formatted(JobRowMapper.COLUMNS.listWithoutParams(), OWNER);

  private final Database database;

  public JobSearch(Database database) {
    this.database = database;
  }

  public FoundJobs run(
      Search search, Direction direction, @Nullable Place behind, int limit, int lookAt) {
    List<FoundJob> found = new ArrayList<>();
    int left = lookAt;
    String group =
        search.nodeGroup() == null
            ? firstGroup(direction, behind == null ? null : behind.nodeGroup())
            : search.nodeGroup();
    for (int groups = 0; group != null; groups++) {
      if (groups == MAX_GROUPS) {
        return new FoundJobs(found, beforeAllOf(group, direction));
      }
      String from = behind != null && group.equals(behind.nodeGroup()) ? behind.taskId() : null;
      Range range = new Range(search, direction, group, from);
      Slice slice = slice(range, limit - found.size(), left);
      found.addAll(slice.jobs());
      if (slice.last() != null) {
        return new FoundJobs(found, new Place(group, slice.last()));
      }
      left -= slice.lookedAt();
      group =
          search.nodeGroup() == null ? firstGroup(direction, beyondGroup(group, direction)) : null;
    }
    return new FoundJobs(found, null);
  }

  /** The place from which a search begins with the jobs of a node group. */
  private static Place beforeAllOf(String group, Direction direction) {
    return direction == Direction.ASCENDING
        ? new Place(group, "")
        : new Place(groupAbove(group), "");
  }

  public Set<String> liveTasksNear(String nodeGroup, String taskId, int rows) {
    return database.call(
        "find jobs near " + nodeGroup + "/" + taskId,
        () -> {
          Set<String> near = new TreeSet<>(liveTasksFrom(nodeGroup, taskId, rows, ">=", "ASC"));
          near.addAll(liveTasksFrom(nodeGroup, taskId, rows, "<", "DESC"));
          return near;
        });
  }

  /** Bounds the rows before it filters them: there may be many ended jobs. */
  private Set<String> liveTasksFrom(
      String nodeGroup, String taskId, int rows, String beyond, String order) {
    String sql =
        """
        SELECT task_id FROM (
          SELECT task_id, state FROM jt_job
          WHERE node_group = :nodeGroup AND task_id ${beyond} :taskId
          ORDER BY node_group ${order}, task_id ${order}
          LIMIT :rows) AS near
        WHERE state IN ('ACTIVE', 'PAUSED')"""
            .replace("${beyond}", beyond)
            .replace("${order}", order);
    return database
        .sql(sql)
        .params(Map.of("nodeGroup", nodeGroup, "taskId", taskId, "rows", rows))
        .query(String.class)
        .set();
  }

  public Set<String> groupsWithTask(Collection<String> nodeGroups, String taskId) {
    String sql =
        database
            .dialect()
            .selectByNodeGroups(
                "node_group", "jt_job", "task_id = :taskId AND state IN ('ACTIVE', 'PAUSED')");
    return database.call(
        "find node groups with a job " + taskId,
        () ->
            database.dialect().inLists(nodeGroups).stream()
                .map(list -> Map.of("taskId", taskId, "nodeGroups", list))
                .flatMap(values -> database.sql(sql).params(values).query(String.class).stream())
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  /**
   * The jobs of a node group that a search reads.
   *
   * @param behind the task id behind which it begins; null for the beginning
   */
  private record Range(Search search, Direction direction, String group, @Nullable String behind) {}

  /**
   * The part of the result from one node group.
   *
   * @param lookedAt the number of jobs read
   * @param last task id of the last of them; null if there are no more
   */
  private record Slice(List<FoundJob> jobs, int lookedAt, @Nullable String last) {}

  private Slice slice(Range of, int limit, int lookAt) {
    Map<String, Object> values = new HashMap<>();
    String range = condition(of, values);
    String filter = filter(of.search(), values);
    if (filter.isEmpty()) {
      List<FoundJob> jobs = select(of, range, values, limit);
      return new Slice(jobs, jobs.size(), jobs.size() == limit ? lastOf(jobs) : null);
    }
    Slice looked = lookedAt(of, range, values, lookAt);
    if (looked.last() == null) {
      return new Slice(List.of(), 0, null);
    }
    values.put("last", looked.last());
    String untilLast = of.direction() == Direction.ASCENDING ? "<=" : ">=";
    List<FoundJob> jobs =
        select(of, range + " AND task_id " + untilLast + " :last" + filter, values, limit);
    String last =
        jobs.size() == limit ? lastOf(jobs) : looked.lookedAt() == lookAt ? looked.last() : null;
    List<FoundJob> wanted = jobs.stream().filter(job -> isOfHandler(job, of.search())).toList();
    return new Slice(wanted, looked.lookedAt(), last);
  }

  private static String lastOf(List<FoundJob> jobs) {
    return jobs.get(jobs.size() - 1).job().taskId();
  }

  /** Returns how many jobs a search reads, and the last of them: uses only the index. */
  private Slice lookedAt(Range of, String range, Map<String, Object> values, int lookAt) {
    String sql =
        """
        SELECT COUNT(*) AS looked_at, ${last}(task_id) AS last_task FROM (
          SELECT task_id FROM jt_job WHERE %s
          ORDER BY node_group ${direction}, task_id ${direction}
          LIMIT :lookAt) AS looked"""
            .formatted(range);
    return database
        .sql(DirectedSql.of(sql, of.direction()))
        .params(values)
        .param("lookAt", lookAt)
        .query(
            (row, number) ->
                new Slice(List.of(), row.getInt("looked_at"), row.getString("last_task")))
        .single();
  }

  private List<FoundJob> select(Range of, String condition, Map<String, Object> values, int limit) {
    String sql =
        SELECT
            + "WHERE "
            + condition
            + " ORDER BY node_group ${direction}, task_id ${direction} LIMIT :limit";
    return database
        .sql(DirectedSql.of(sql, of.direction()))
        .params(values)
        .param("limit", limit)
        .query(
            (row, number) ->
                new FoundJob(
                    JobRowMapper.read(row, number),
                    new RunCounts(row.getInt("running"), row.getInt("queued")),
                    row.getString("owner")))
        .list();
  }

  private static String condition(Range of, Map<String, Object> values) {
    values.put("nodeGroup", of.group());
    return "node_group = :nodeGroup"
        + rangeOfTasks(of.direction(), of.behind(), of.search().prefix(), values);
  }

  /**
   * Returns the condition for the task ids behind one, with a prefix, as a range of an index; it
   * begins with AND, or is empty.
   *
   * @param behind null for the beginning
   * @param prefix null for any
   */
  public static String rangeOfTasks(
      Direction direction,
      @Nullable String behind,
      @Nullable String prefix,
      Map<String, Object> values) {
    StringBuilder range = new StringBuilder();
    if (behind != null) {
      values.put("behind", behind);
      range.append(DirectedSql.of(" AND task_id ${beyond} :behind", direction));
    }
    if (prefix != null) {
      values.put("prefix", prefix);
      range.append(" AND task_id >= :prefix");
    }
    String beyond = prefix == null ? null : beyond(prefix);
    if (beyond != null) {
      values.put("beyond", beyond);
      range.append(" AND task_id < :beyond");
    }
    return range.toString();
  }

  /** The conditions that no range of the key's index expresses; each begins with AND. */
  public static String filter(Search search, Map<String, Object> values) {
    StringBuilder filter = new StringBuilder();
    if (search.state() != null) {
      values.put("state", search.state().name());
      filter.append(" AND state = :state");
    }
    if (search.contained() != null) {
      values.put("contained", search.contained().toLowerCase(Locale.ROOT));
      filter.append(" AND LOCATE(:contained, LOWER(task_id)) > 0");
    }
    if (search.handler() != null) {
      values.put("handler", handlerInSpec(search.handler()));
      filter.append(" AND LOCATE(:handler, spec) > 0");
    }
    if (search.owner() != null) {
      values.put("owner", search.owner());
      filter.append(" AND :owner = ").append(OWNER);
    }
    return filter.toString();
  }

  /**
   * Returns the handler as it appears in the JSON of a spec. Other text that matches is removed
   * after the row has been read.
   */
  public static String handlerInSpec(String handler) {
    String json = Columns.json(Map.of("handler", handler));
    return json.substring(1, json.length() - 1);
  }

  private static boolean isOfHandler(FoundJob found, Search search) {
    return search.handler() == null || search.handler().equals(found.job().spec().handler());
  }

  /**
   * Takes one step in the index. The bound is inclusive: with an exclusive one H2 would begin at
   * the excluded group and read all its rows.
   *
   * @param from null for the beginning
   */
  private @Nullable String firstGroup(Direction direction, @Nullable String from) {
    String sql =
        """
        SELECT node_group FROM jt_job%s
        ORDER BY node_group ${direction}, task_id ${direction}
        LIMIT 1"""
            .formatted(from == null ? "" : " WHERE node_group ${beyond}= :from");
    return database
        .sql(DirectedSql.of(sql, direction))
        .param("from", from)
        .query(String.class)
        .optional()
        .orElse(null);
  }

  private static String beyondGroup(String group, Direction direction) {
    return direction == Direction.ASCENDING ? groupAbove(group) : groupBelow(group);
  }

  /**
   * Returns a lower bound for the next group: no group name lies between this one and the result.
   * The appended character is above a blank, with which MySQL pads to compare, and below all
   * characters of names.
   */
  private static String groupAbove(String group) {
    return group + "!";
  }

  /**
   * Returns an upper bound for the group before: no group name lies between the result and this
   * one. The appended character is above all characters of names.
   */
  private static String groupBelow(String group) {
    int last = group.length() - 1;
    return group.substring(0, last) + (char) (group.charAt(last) - 1) + "~";
  }

  /**
   * Returns the first text above all texts with this prefix, in the order of code points and of
   * UTF-16; null if there is none.
   */
  public static @Nullable String beyond(String prefix) {
    String rest = prefix;
    while (!rest.isEmpty()) {
      int last = rest.codePointBefore(rest.length());
      rest = rest.substring(0, rest.length() - Character.charCount(last));
      if (last != Character.MAX_CODE_POINT && last != Character.MAX_VALUE) {
        int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
        return rest + Character.toString(next);
      }
    }
    return null;
  }
}
