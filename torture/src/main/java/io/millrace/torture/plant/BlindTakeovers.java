package io.millrace.torture.plant;

import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.ConsoleStores;
import io.millrace.jobtracker.store.console.FleetStores;
import io.millrace.jobtracker.store.console.WorkerStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * A store that lists no workers: a tracker that has just started awaits none, so a broadcast after
 * a restart is only for those that have come back.
 */
final class BlindTakeovers {

  /** Returns the same stores with the fault. */
  Stores in(Stores stores) {
    return stores.with(ConsoleStores.class, BlindTakeovers::blind);
  }

  private static ConsoleStores blind(ConsoleStores sound) {
    FleetStores fleet = sound.fleet();
    return new ConsoleStores(
        sound.operators(),
        sound.audit(),
        sound.bulkChanges(),
        new FleetStores(blind(fleet.workers()), fleet.groups(), fleet.counts()));
  }

  private static WorkerStore blind(WorkerStore sound) {
    return (WorkerStore)
        Proxy.newProxyInstance(
            WorkerStore.class.getClassLoader(),
            new Class<?>[] {WorkerStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("list")) {
                return List.of();
              }
              try {
                return method.invoke(sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
