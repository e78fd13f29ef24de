package io.millrace.jobtracker.wiring;

import io.millrace.internal.time.RepeatedTimer;
import io.millrace.jobtracker.cluster.GroupRegistry;
import io.millrace.jobtracker.cluster.GroupTransfers;
import io.millrace.jobtracker.cluster.OwnershipService;
import io.millrace.jobtracker.cluster.UnusedGroups;
import io.millrace.jobtracker.engine.PeriodicService;
import io.millrace.jobtracker.engine.WakeUp;
import io.millrace.jobtracker.group.GroupContext;
import io.millrace.jobtracker.group.GroupEngine;
import io.millrace.jobtracker.group.WorkerPulls;

/**
 * The parts that take and release node groups and direct workers to their owners.
 *
 * @param renewal renews the lease
 * @param service determines which groups this tracker serves
 * @param pulls answers workers
 */
record OwnershipWiring(PeriodicService renewal, OwnershipService service, WorkerPulls pulls) {

  /**
   * Makes the parts.
   *
   * @param groups the node groups that this tracker serves
   * @param lookForGroups wakes the service that determines the groups
   */
  static OwnershipWiring of(
      EngineInputs inputs,
      GroupRegistry<GroupEngine> groups,
      GroupContext context,
      ClusterWiring cluster,
      WakeUp lookForGroups) {
    GroupTransfers<GroupEngine> transfers =
        new GroupTransfers<>(
            cluster.ownership(),
            groups,
            (name, epoch) -> new GroupEngine(name, epoch, context),
            inputs.lease(),
            cluster.peers(),
            inputs.runtime().time());
    OwnershipService service =
        new OwnershipService(
            transfers,
            groups,
            inputs.lease(),
            unusedGroups(inputs, groups, transfers),
            inputs.timers(),
            lookForGroups,
            ClusterWiring.lookPeriod(inputs));
    WorkerPulls pulls =
        new WorkerPulls(
            groups,
            service,
            cluster.ownership(),
            inputs.stores().nodeGroups(),
            inputs.settings().nodeGroups().bounds(),
            inputs.runtime().time().executor());
    RepeatedTimer renewals =
        inputs
            .lease()
            .renewals(inputs.timers(), inputs.runtime().leaseExecutor(), service::lookIfInDoubt);
    return new OwnershipWiring(new PeriodicService(renewals, false), service, pulls);
  }

  private static UnusedGroups unusedGroups(
      EngineInputs inputs,
      GroupRegistry<GroupEngine> groups,
      GroupTransfers<GroupEngine> transfers) {
    return new UnusedGroups(
        inputs.stores().nodeGroups(),
        transfers,
        inputs.lease().number(),
        name -> groups.find(name).map(GroupEngine::hasWorkers).orElse(false),
        inputs.settings().nodeGroups().dropUnusedAfter());
  }
}
