package io.millrace.torture.process;

import io.millrace.internal.config.Check;
import io.millrace.torture.database.DatabaseKind;
import io.millrace.torture.load.LoadPlan;
import io.millrace.torture.plant.Plant;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the processes of a run.
 *
 * @param directory the directory of all files of the run; must be empty
 * @param load determines the workload
 * @param database the kind of database
 * @param trackers the number of trackers; one with an embedded database
 * @param workers the number of worker processes, each of which serves every node group
 * @param clients the number of client processes that share the workload
 * @param trackerLease how long a tracker counts as alive after its last heartbeat
 * @param workerLease how long an execution counts as alive after its worker's last pull
 * @param plant the fault built into the trackers; null for none
 */
public record ClusterSettings(
    Path directory,
    LoadPlan load,
    DatabaseKind database,
    int trackers,
    int workers,
    int clients,
    Duration trackerLease,
    Duration workerLease,
    @Nullable Plant plant) {

  public ClusterSettings {
    Check.that(
        database == DatabaseKind.H2 ? trackers == 1 : trackers >= 1 && trackers <= 16,
        database == DatabaseKind.H2
            ? "an embedded database can have only one tracker"
            : "the number of trackers must be between 1 and 16");
    Check.that(workers >= 1 && workers <= 64, "the number of workers must be between 1 and 64");
    Check.that(clients >= 1 && clients <= 16, "the number of clients must be between 1 and 16");
  }
}
