package io.millrace.torture.plant;

import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.kept.KeptStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store that hands nothing of what a dead trigger kept to its replay. */
final class ReplaysWithoutSteps {

  /** Returns the same stores with the fault. */
  Stores in(Stores stores) {
    return stores.with(KeptStore.class, ReplaysWithoutSteps::forgetful);
  }

  private static KeptStore forgetful(KeptStore sound) {
    return (KeptStore)
        Proxy.newProxyInstance(
            KeptStore.class.getClassLoader(),
            new Class<?>[] {KeptStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("replayed")) {
                return null;
              }
              try {
                return method.invoke(sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
