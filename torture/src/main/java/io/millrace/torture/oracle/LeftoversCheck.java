package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import java.util.Set;
import java.util.stream.Collectors;

/** Checks that at the end no trigger waits, no execution runs, and no job is active. */
final class LeftoversCheck implements Check {

  @Override
  public void check(Records records, Findings findings) {
    for (LiveRow row : records.tables().live()) {
      findings.broken(
          Promise.STUCK,
          "%s planned at %s is still in %s, as row %d, due at %s"
              .formatted(row.key(), at(row.plannedAt()), row.table(), row.id(), at(row.dueAt())));
    }
    Set<String> live =
        records.tables().live().stream().map(LiveRow::key).collect(Collectors.toSet());
    for (JobRow job : records.tables().jobs()) {
      if (!job.isOver() && !live.contains(job.key())) {
        findings.broken(
            Promise.STUCK,
            "%s, version %d, is still %s, but has no further trigger"
                .formatted(job.key(), job.version(), job.state()));
      }
      if ((job.running() != 0 || job.queued() != 0) && !live.contains(job.key())) {
        findings.broken(
            Promise.STUCK,
            "%s, version %d, counts %d triggers that run and %d that wait for their turn"
                .formatted(job.key(), job.version(), job.running(), job.queued()));
      }
    }
  }
}
