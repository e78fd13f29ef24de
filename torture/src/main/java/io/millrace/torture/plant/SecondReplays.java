package io.millrace.torture.plant;

import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.Stores;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store that reports a dead trigger as marked by its replay, but leaves it open. Each is left
 * open at most once, so that it is replayed twice and not without end.
 */
final class SecondReplays {
  private final Set<Long> left = ConcurrentHashMap.newKeySet();

  /** Returns the same stores with the fault. */
  Stores in(Stores stores) {
    return stores.with(DeadStore.class, this::forgetful);
  }

  private DeadStore forgetful(DeadStore sound) {
    return (DeadStore)
        Proxy.newProxyInstance(
            DeadStore.class.getClassLoader(),
            new Class<?>[] {DeadStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("settle") && left.add((Long) arguments[0])) {
                return true;
              }
              try {
                return method.invoke(sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
