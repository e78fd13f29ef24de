package io.millrace.jobtracker.submit.job;

import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.job.JobVersion.Source;
import io.millrace.jobtracker.store.version.JobVersionStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The versions of recurring jobs that one transaction stores. They are written together at its end,
 * when it has written the rows of the jobs. Not thread-safe.
 */
public final class NewVersions {
  private static final String OPERATOR = "operator/";

  /** A version, and what it took the place of; null if the job is new. */
  private record Added(@Nullable JobDefinition before, JobVersion version) {}

  private final List<Added> added = new ArrayList<>();

  /**
   * Who a request is from, by its connection and never by the content of the request. Operators
   * have no connection: the API of this process names them.
   */
  public static Author authorOf(Peer client) {
    String name = client.nodeId();
    if (client.connection() == 0 && name.startsWith(OPERATOR)) {
      return new Author(Source.OPERATOR, name.substring(OPERATOR.length()), client.address());
    }
    return new Author(Source.CLIENT, nameOf(client), client.address());
  }

  /** The name of a client. An operator has no client group, and a client need not have one. */
  public static String nameOf(Peer client) {
    return client.group().isEmpty() ? client.nodeId() : client.group() + "/" + client.nodeId();
  }

  /** Adds the first version of a job. */
  public void add(JobDefinition first, Author author, long now) {
    added.add(new Added(null, JobVersion.of(first, author, now)));
  }

  /** Adds a version that takes the place of another one, with all its parameters. */
  public void add(JobDefinition before, JobDefinition next, Author author, long now) {
    added.add(new Added(before, JobVersion.of(next, author, now)));
  }

  /**
   * Writes the versions. What came before them is written too where a tracker of a former version
   * stored it, so that the difference can be shown.
   */
  public void write(JobVersionStore store) {
    if (added.isEmpty()) {
      return;
    }
    List<JobVersion> rows = new ArrayList<>();
    Map<Long, String> recorded = recorded(store);
    for (Added each : added) {
      JobDefinition before = each.before();
      JobVersion version = each.version();
      if (before != null && !before.spec().submissionId().equals(recorded.get(version.jobId()))) {
        rows.add(JobVersion.unrecorded(before, version.storedAt()));
      }
      rows.add(version);
      recorded.put(version.jobId(), version.submissionId());
    }
    store.insert(rows);
    added.stream()
        .map(Added::version)
        .filter(version -> version.version() > JobVersion.KEPT)
        .map(JobVersion::jobId)
        .distinct()
        .forEach(store::trim);
  }

  private Map<Long, String> recorded(JobVersionStore store) {
    List<Long> replaced =
        added.stream()
            .filter(each -> each.before() != null)
            .map(each -> each.version().jobId())
            .distinct()
            .toList();
    return new HashMap<>(replaced.isEmpty() ? Map.of() : store.latestSubmissions(replaced));
  }
}
