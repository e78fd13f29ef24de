package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.store.TestDatabase;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Questions to {@code jt_history}, most of whose right answer is that there is nothing. */
final class LedgerSql {
  private static final String TRIGGER = "CONCAT(h.task_id, '@', h.planned_for)";

  private final TestDatabase database;

  LedgerSql(TestDatabase database) {
    this.database = database;
  }

  /** How many triggers have ended. */
  long ends() {
    return database.count("jt_history WHERE is_final");
  }

  /** The task ids of triggers that have ended. */
  List<String> endedTasks() {
    return database.query("SELECT DISTINCT h.task_id FROM jt_history h WHERE h.is_final");
  }

  /** Triggers that did not end, or ended more than once. */
  List<String> triggersNotEndedOnce() {
    return database.query(
        "SELECT "
            + TRIGGER
            + " FROM jt_history h GROUP BY h.task_id, h.planned_for, h.ordinal"
            + " HAVING SUM(CASE WHEN h.is_final THEN 1 ELSE 0 END) <> 1");
  }

  /** Executions of triggers that had ended before. */
  List<String> executionsAfterTheEnd() {
    return database.query(
        "SELECT h.id FROM jt_history h JOIN jt_history ended"
            + " ON ended.job_id = h.job_id AND ended.planned_for = h.planned_for"
            + " AND ended.is_final AND h.id > ended.id");
  }

  /** Triggers that ended otherwise than by success. */
  List<String> triggersWithoutSuccess() {
    return database.query(
        "SELECT " + TRIGGER + " FROM jt_history h WHERE h.is_final AND h.status <> 'SUCCEEDED'");
  }

  /** The executions that ended because the worker was lost. */
  List<Long> rescued() {
    return database.query("SELECT h.id FROM jt_history h WHERE h.status = 'RESCUED'").stream()
        .map(Long::valueOf)
        .toList();
  }

  /** The workers that were lost, in order of name. */
  List<String> lostWorkers() {
    return database.query(
        "SELECT DISTINCT h.worker_id FROM jt_history h WHERE h.status = 'RESCUED'"
            + " ORDER BY h.worker_id");
  }

  /** Rescued executions that no attempt of the next number followed. */
  List<String> rescuedWithoutTheNextAttempt() {
    return database.query(
        "SELECT h.id FROM jt_history h WHERE h.status = 'RESCUED' AND NOT EXISTS"
            + " (SELECT 1 FROM jt_history next WHERE next.job_id = h.job_id"
            + " AND next.planned_for = h.planned_for AND next.id > h.id"
            + " AND next.attempt = h.attempt + 1)");
  }

  /** Invocations of which the ledger does not know the execution, or which began after the end. */
  List<Run> strangeRuns(Collection<Run> runs) {
    Map<String, Long> ends = new HashMap<>();
    String sql = "SELECT CONCAT(" + TRIGGER + ", ' ', h.id) FROM jt_history h WHERE h.is_final";
    for (String end : database.query(sql)) {
      String[] words = end.split(" ");
      ends.put(words[0], Long.parseLong(words[1]));
    }
    Set<String> known = new HashSet<>(database.query("SELECT h.id FROM jt_history h"));
    return runs.stream()
        .filter(
            run ->
                !known.contains(String.valueOf(run.executionId()))
                    || run.executionId() > ends.getOrDefault(run.trigger(), Long.MIN_VALUE))
        .toList();
  }
}
