package io.millrace.console.browser;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;

/** Bulk changes of alice that no test has to wait for: written to the store as if they had been. */
final class StoredBulkChange {
  private static final String INSERT =
      """
      INSERT INTO jt_bulk_change (id, action, search, options, requested_at, operator, address,
        state, total, done, failed, failures, owner, lease_until, ended_at, end_reason)
      VALUES (%d, '%s', '{"nodeGroup":"%s"}', '{%s"keepSucceeded":false}', %d, 'alice', '127.0.0.1', %s)""";

  private StoredBulkChange() {}

  /** One that another tracker makes: it pauses jobs, and stays at 1,234 of 1,000,000. */
  static long underWay(TestDatabase database, String nodeGroup, Instant at) {
    long now = at.toEpochMilli();
    long lease = now + Duration.ofHours(1).toMillis();
    String progress =
        "'ACTIVE', 1000000, 1234, 0, '{\"first\":[]}', 1, %d, NULL, NULL".formatted(lease);
    return insert(database, "PAUSE_JOBS", nodeGroup, "", at, progress);
  }

  /** One that paused all but one of the jobs of orders, and one that an administrator stopped. */
  static void ended(TestDatabase database, Instant at) {
    long end = at.plusSeconds(3).toEpochMilli();
    String failure =
        "{\"name\":\"orders/sync-stock\",\"nodeGroup\":\"orders\",\"taskId\":\"sync-stock\","
            + "\"why\":\"it was cancelled\"}";
    insert(
        database,
        "PAUSE_JOBS",
        "orders",
        "\"reason\":\"stocktaking\",",
        at,
        "'DONE', 4, 4, 1, '{\"first\":[%s]}', NULL, NULL, %d, NULL".formatted(failure, end));
    insert(
        database,
        "REPLAY_DEAD",
        "billing",
        "\"params\":{\"amount\":\"5.00\"},",
        at.plusMillis(1),
        "'STOPPED', 3120, 800, 0, '{\"first\":[]}', NULL, NULL, %d, 'admin'".formatted(end));
  }

  private static long insert(
      TestDatabase database,
      String action,
      String nodeGroup,
      String options,
      Instant at,
      String progress) {
    long id = IdSequence.lowestAt(at.toEpochMilli());
    database.execute(INSERT.formatted(id, action, nodeGroup, options, at.toEpochMilli(), progress));
    return id;
  }
}
