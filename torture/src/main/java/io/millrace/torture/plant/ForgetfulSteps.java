package io.millrace.torture.plant;

import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.kept.KeptStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store that acknowledges the values of every third execution and keeps none of them. */
final class ForgetfulSteps {
  private static final long ONE_IN = 3;

  /** Returns the same stores with the fault. */
  Stores in(Stores stores) {
    return stores.with(KeptStore.class, ForgetfulSteps::forgetful);
  }

  private static KeptStore forgetful(KeptStore sound) {
    return (KeptStore)
        Proxy.newProxyInstance(
            KeptStore.class.getClassLoader(),
            new Class<?>[] {KeptStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("write")
                  && ((KeepRequest) arguments[1]).executionId() % ONE_IN == 0) {
                return KeepStatus.KEPT;
              }
              try {
                return method.invoke(sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
