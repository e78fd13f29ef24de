package io.millrace.torture.oracle;

import io.millrace.torture.load.Workload;
import io.millrace.torture.nemesis.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The records of a run.
 *
 * @param databases the databases with the ledger; if there are several, all must be equal
 * @param workload the planned steps of the clients
 * @param runJournals the journals of every start of every worker; each name contains {@code
 *     worker-} and the worker's number
 * @param submitJournals the journals of every start of every client
 * @param replayJournals the journals of the replays that every start of every tracker was asked for
 * @param miscounts what open batches counted wrongly, as looked at again and again in the run
 * @param faults the faults, all of them healed
 * @param trackers the number of trackers
 * @param trackerLease how long a tracker counts as alive after its last heartbeat
 * @param workerLease how long an execution counts as alive after its worker's last pull
 * @param misfireThreshold the delay after which a trigger counts as missed
 */
public record Evidence(
    List<DatabaseAccess> databases,
    Workload workload,
    List<Path> runJournals,
    List<Path> submitJournals,
    List<Path> replayJournals,
    List<String> miscounts,
    List<Fault> faults,
    int trackers,
    Duration trackerLease,
    Duration workerLease,
    Duration misfireThreshold) {

  public Evidence {
    databases = List.copyOf(databases);
    runJournals = List.copyOf(runJournals);
    submitJournals = List.copyOf(submitJournals);
    replayJournals = List.copyOf(replayJournals);
    miscounts = List.copyOf(miscounts);
    faults = List.copyOf(faults);
  }
}
