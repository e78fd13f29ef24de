package io.millrace.torture.process;

import io.millrace.torture.database.DatabaseKind;
import io.millrace.torture.plant.Plant;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of a run are and what they are told.
 *
 * @param directory where everything is kept that the run writes; must be empty
 * @param seed decides the workload
 * @param seconds how long the load lasts
 * @param database which database
 * @param trackers how many trackers; one over an embedded database
 * @param workers how many worker processes, each of which works for every node group
 * @param clients how many client processes share the workload
 * @param trackerLease how long a tracker counts as alive after its last sign of life
 * @param workerLease how long an execution counts as alive after its worker's last pull
 * @param plant the fault that is built into the trackers; null for none
 */
public record ClusterSettings(
    Path directory,
    long seed,
    int seconds,
    DatabaseKind database,
    int trackers,
    int workers,
    int clients,
    Duration trackerLease,
    Duration workerLease,
    @Nullable Plant plant) {

  public ClusterSettings {
    require(seconds >= 10 && seconds <= 86_400, "a run lasts 10 to 86400 seconds");
    require(
        database == DatabaseKind.H2 ? trackers == 1 : trackers >= 1 && trackers <= 16,
        database == DatabaseKind.H2
            ? "an embedded database has one tracker"
            : "there are 1 to 16 trackers");
    require(workers >= 1 && workers <= 64, "there are 1 to 64 workers");
    require(clients >= 1 && clients <= 16, "there are 1 to 16 clients");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what);
    }
  }
}
