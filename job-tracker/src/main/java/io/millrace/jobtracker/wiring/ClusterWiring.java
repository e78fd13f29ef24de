package io.millrace.jobtracker.wiring;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.jobtracker.cluster.GroupOwnership;
import io.millrace.jobtracker.cluster.PeerTrackers;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The parts that know the other trackers.
 *
 * @param ownership decides which node groups this tracker serves
 * @param peers the other trackers
 * @param knowPeers reads periodically which trackers are alive
 */
record ClusterWiring(GroupOwnership ownership, PeerTrackers peers, RepeatedTimer knowPeers) {

  /**
   * How many times in the length of a tracker's lease the live trackers and the node groups are
   * read.
   */
  static final int LOOKS_IN_A_LEASE = 5;

  /**
   * Makes the parts.
   *
   * @param clientGroups supplies the client groups that have a client connected to this tracker
   */
  static ClusterWiring of(EngineInputs inputs, Supplier<Set<String>> clientGroups) {
    Stores stores = inputs.stores();
    GroupOwnership ownership =
        new GroupOwnership(stores.nodeGroups(), stores.liveTrackers(), inputs.lease());
    PeerTrackers peers =
        new PeerTrackers(
            stores.liveTrackers(),
            new PeerTrackers.Self(inputs.lease().number(), inputs.address()),
            inputs.runtime().peers(),
            ownership::ownerElsewhere,
            clientGroups,
            gone -> inputs.observer().trackerGone(gone, inputs.runtime().time().millis()));
    RepeatedTimer knowPeers =
        inputs
            .timers()
            .timer(
                "know peers",
                Pace.every(lookPeriod(inputs)),
                Duty.counting("trackers came or went", peers::runOnce));
    return new ClusterWiring(ownership, peers, knowPeers);
  }

  static Duration lookPeriod(EngineInputs inputs) {
    return inputs.settings().service().trackerLease().dividedBy(LOOKS_IN_A_LEASE);
  }
}
