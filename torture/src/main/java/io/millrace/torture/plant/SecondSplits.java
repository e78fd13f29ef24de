package io.millrace.torture.plant;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims that split a run and leave its row in the waiting table: the next load finds it, and it is
 * split again. Of each job once, so that the cluster comes to rest.
 */
final class SecondSplits {
  /** An id that no tracker has, so that ids stay unique. */
  private static final int TRACKER_FOR_IDS = IdSequence.MAX_TRACKERS - 1;

  private final IdSequence ids = new IdSequence(TRACKER_FOR_IDS, 0);
  private final Set<Long> left = ConcurrentHashMap.newKeySet();
  private final Stores sound;

  SecondSplits(Stores sound) {
    this.sound = sound;
  }

  /** Returns the same stores with the fault. */
  Stores planted() {
    return sound.with(BatchStore.class, this::leaving);
  }

  private BatchStore leaving(BatchStore batches) {
    return (BatchStore)
        Proxy.newProxyInstance(
            BatchStore.class.getClassLoader(),
            new Class<?>[] {BatchStore.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(batches, arguments);
                if (method.getName().equals("insert")) {
                  opened(arguments[0]).forEach(this::leave);
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void leave(Batch batch) {
    Execution run = batch.run();
    if (left.add(run.core().jobId())) {
      ids.observe(run.id());
      long rowId = ids.next(run.claimedAt());
      sound
          .waiting()
          .insert(
              run.nodeGroup(),
              List.of(run.backToWaiting(rowId, run.dueAt(), run.core().attempt(), run.params())));
    }
  }

  @SuppressWarnings("unchecked") // the parameter of BatchStore.insert
  private static List<Batch> opened(Object argument) {
    return (List<Batch>) argument;
  }
}
