package io.millrace.jobtracker.store;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A ledger that delegates to another one: the base class of decorators. */
public abstract class ForwardingLedgerStore implements LedgerStore {
  private final LedgerStore real;

  protected ForwardingLedgerStore(LedgerStore real) {
    this.real = real;
  }

  @Override
  public void append(List<LedgerEntry> rows) {
    real.append(rows);
  }

  @Override
  public List<LedgerEntry> find(Collection<Long> ids) {
    return real.find(ids);
  }

  @Override
  public Map<String, Set<SubmittedAs>> knownSubmissions(Collection<String> submissionIds) {
    return real.knownSubmissions(submissionIds);
  }

  @Override
  public Optional<LedgerEntry> findBySubmission(String submissionId) {
    return real.findBySubmission(submissionId);
  }

  @Override
  public OptionalLong latestPlanned(long jobId, long until) {
    return real.latestPlanned(jobId, until);
  }

  @Override
  public List<LedgerEntry> readAfter(long aboveId, int limit) {
    return real.readAfter(aboveId, limit);
  }

  @Override
  public List<Ended> readEnds(long aboveId, long belowId, int limit) {
    return real.readEnds(aboveId, belowId, limit);
  }

  @Override
  public OptionalLong idBelow(long belowId, int rows) {
    return real.idBelow(belowId, rows);
  }

  @Override
  public int delete(Collection<Long> ids) {
    return real.delete(ids);
  }

  @Override
  public Set<TriggerKey> endedTriggers(long jobId, long after, long until) {
    return real.endedTriggers(jobId, after, until);
  }

  @Override
  public List<LedgerEntry> findByJob(long jobId) {
    return real.findByJob(jobId);
  }

  @Override
  public List<LedgerEntry> findLatest(long jobId, long plannedFrom, long plannedTo, int limit) {
    return real.findLatest(jobId, plannedFrom, plannedTo, limit);
  }

  @Override
  public OneShotSearch searchOneShot(String nodeGroup, String taskId, int maxRows) {
    return real.searchOneShot(nodeGroup, taskId, maxRows);
  }

  @Override
  public Found search(Search search, int limit, int lookAt) {
    return real.search(search, limit, lookAt);
  }

  @Override
  public FoundOfJob searchJob(long jobId, Search search, Place behind, int limit, int lookAt) {
    return real.searchJob(jobId, search, behind, limit, lookAt);
  }
}
