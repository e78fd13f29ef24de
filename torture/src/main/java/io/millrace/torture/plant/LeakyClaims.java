package io.millrace.torture.plant;

import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Waiting tables in which a claim of a row reports its deletion but leaves it in the table. Each
 * row is left at most once, so that the cluster comes to rest.
 */
final class LeakyClaims {
  private static final long ONE_IN = 10;

  private final Set<Long> left = ConcurrentHashMap.newKeySet();

  /** Returns the same stores with the leak. */
  Stores in(Stores stores) {
    return stores.with(WaitingStore.class, this::leaky);
  }

  private WaitingStore leaky(WaitingStore sound) {
    return (WaitingStore)
        Proxy.newProxyInstance(
            WaitingStore.class.getClassLoader(),
            new Class<?>[] {WaitingStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("delete")) {
                return delete(sound, (String) arguments[0], ids(arguments[1]));
              }
              try {
                return method.invoke(sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private int delete(WaitingStore sound, String group, Collection<Long> ids) {
    Set<Long> leaked =
        ids.stream().filter(id -> id % ONE_IN == 0 && left.add(id)).collect(Collectors.toSet());
    Set<Long> deleted = ids.stream().filter(id -> !leaked.contains(id)).collect(Collectors.toSet());
    int count = deleted.isEmpty() ? 0 : sound.delete(group, deleted);
    return count + leaked.size();
  }

  @SuppressWarnings("unchecked") // the parameter of WaitingStore.delete
  private static Collection<Long> ids(Object argument) {
    return (Collection<Long>) argument;
  }
}
