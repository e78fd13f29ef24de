package io.millrace.torture.plant;

import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.store.ExecutingStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Batches that are wrong in one way, each at most once, so that the cluster comes to rest. */
final class MiscountedBatches {
  private final Plant plant;
  private final Set<Long> planted = ConcurrentHashMap.newKeySet();

  MiscountedBatches(Plant plant) {
    this.plant = plant;
  }

  /** Returns the same stores with the fault. */
  Stores in(Stores stores) {
    Stores wrong = stores.with(BatchStore.class, this::wrong);
    return plant == Plant.RETRY_STOPPED_PARTS
        ? wrong.with(ExecutingStore.class, MiscountedBatches::deaf)
        : wrong;
  }

  private static ExecutingStore deaf(ExecutingStore sound) {
    return (ExecutingStore)
        Proxy.newProxyInstance(
            ExecutingStore.class.getClassLoader(),
            new Class<?>[] {ExecutingStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("requestStop")
                  && ((String) arguments[1]).startsWith("#")) {
                return 0;
              }
              try {
                return method.invoke(sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private BatchStore wrong(BatchStore sound) {
    return (BatchStore)
        Proxy.newProxyInstance(
            BatchStore.class.getClassLoader(),
            new Class<?>[] {BatchStore.class},
            (proxy, method, arguments) -> {
              try {
                return call(sound, method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @SuppressWarnings("unchecked") // the parameters of BatchStore
  private @Nullable Object call(BatchStore sound, Method method, Object[] arguments)
      throws InvocationTargetException, IllegalAccessException {
    return switch (method.getName()) {
      case "countEnds" -> {
        Map<Long, PartEnds> ends = counted((Map<Long, PartEnds>) arguments[0]);
        if (!ends.isEmpty()) {
          sound.countEnds(ends);
        }
        yield null;
      }
      case "lock" -> locked(sound.lock((Collection<Long>) arguments[0]));
      default -> method.invoke(sound, arguments);
    };
  }

  private Map<Long, PartEnds> counted(Map<Long, PartEnds> ends) {
    if (plant == Plant.RETRY_STOPPED_PARTS) {
      return ends;
    }
    Map<Long, PartEnds> counted = new HashMap<>(ends);
    ends.forEach(
        (id, of) -> {
          if (planted.add(id)) {
            if (plant == Plant.COUNT_PARTS_TWICE) {
              counted.put(id, of.plus(of));
            } else {
              PartEnds unused = counted.remove(id);
            }
          }
        });
    return counted;
  }

  private Map<Long, LockedBatch> locked(Map<Long, LockedBatch> found) {
    if (plant != Plant.RETRY_STOPPED_PARTS) {
      return found;
    }
    Map<Long, LockedBatch> locked = new HashMap<>();
    found.forEach(
        (id, batch) ->
            locked.put(
                id,
                new LockedBatch(
                    id,
                    batch.nodeGroup(),
                    BatchState.OPEN,
                    batch.counts(),
                    batch.onPartFailure(),
                    batch.reduce(),
                    batch.ancestry(),
                    batch.bytes())));
    return locked;
  }
}
