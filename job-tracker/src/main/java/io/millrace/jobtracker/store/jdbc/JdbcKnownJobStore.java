package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.KnownJobStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.InLists;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tables {@code jt_executing}, {@code jt_batch}, {@code jt_job} and {@code jt_history}, read by
 * one statement.
 */
final class JdbcKnownJobStore implements KnownJobStore {
  private final Database database;

  JdbcKnownJobStore(Database database) {
    this.database = database;
  }

  @Override
  public Set<String> findKnown(String nodeGroup, Collection<Identity> jobs) {
    return database.call(
        "find what is known of " + jobs.size() + " jobs of node group " + nodeGroup,
        () -> {
          Set<String> known = new HashSet<>();
          for (List<Identity> some : InLists.cut(List.copyOf(jobs))) {
            known.addAll(read(nodeGroup, some));
          }
          return known;
        });
  }

  private List<String> read(String nodeGroup, List<Identity> jobs) {
    Dialect dialect = database.dialect();
    List<Object> parameters =
        new ArrayList<>(
            dialect.pairs(
                jobs.stream().map(Identity::taskId).toList(),
                jobs.stream().map(Identity::submissionId).toList()));
    parameters.addAll(List.of(nodeGroup, nodeGroup, nodeGroup));
    return database
        .jdbc()
        .queryForList(dialect.selectKnownJobs(jobs.size()), String.class, parameters.toArray());
  }
}
