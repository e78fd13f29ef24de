package io.millrace.torture.oracle;

import io.millrace.torture.load.Workload;
import io.millrace.torture.nemesis.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is left of a run.
 *
 * @param databases where the ledger is; if there are several, then all have to say the same
 * @param workload what the clients were to do
 * @param runJournals those of every start of every worker; the name of each has {@code worker-} and
 *     the worker's number in it
 * @param submitJournals those of every start of every client
 * @param faults what was done, all of it healed
 * @param trackers how many trackers there were
 * @param trackerLease how long a tracker counted as alive after its last sign of life
 * @param workerLease how long an execution counted as alive after its worker's last pull
 * @param misfireThreshold from when on a trigger counted as missed
 */
public record Evidence(
    List<DatabaseAccess> databases,
    Workload workload,
    List<Path> runJournals,
    List<Path> submitJournals,
    List<Fault> faults,
    int trackers,
    Duration trackerLease,
    Duration workerLease,
    Duration misfireThreshold) {

  public Evidence {
    databases = List.copyOf(databases);
    runJournals = List.copyOf(runJournals);
    submitJournals = List.copyOf(submitJournals);
    faults = List.copyOf(faults);
  }
}
