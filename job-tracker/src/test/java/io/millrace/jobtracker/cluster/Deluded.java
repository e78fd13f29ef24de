package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.store.LiveTrackers;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stores of a tracker that never learns of the others: it is the only one alive, and every
 * group that it has once taken is its own for ever. Everything else is as it is.
 */
final class Deluded {
  private final Map<String, NodeGroup> own = new ConcurrentHashMap<>();
  private volatile Tracker self;

  private Deluded() {}

  static Stores around(Stores stores) {
    Deluded deluded = new Deluded();
    return stores
        .with(NodeGroupStore.class, deluded::nodeGroups)
        .with(TrackerStore.class, deluded::trackers)
        .with(LiveTrackers.class, real -> now -> List.of(deluded.self));
  }

  private TrackerStore trackers(TrackerStore store) {
    return proxy(
        TrackerStore.class,
        store,
        (method, arguments, real) -> {
          if (method.equals("acquire")) {
            self = (Tracker) real;
          }
          return real;
        });
  }

  private NodeGroupStore nodeGroups(NodeGroupStore store) {
    return proxy(
        NodeGroupStore.class,
        store,
        (method, arguments, real) -> {
          switch (method) {
            case "takeOwnership" -> {
              if ((Boolean) real) {
                NodeGroup taken = store.find(String.valueOf(arguments[0])).orElseThrow();
                own.put(taken.name(), taken);
              }
            }
            case "all" -> {
              return ((List<?>) real)
                  .stream()
                      .map(NodeGroup.class::cast)
                      .map(group -> own.getOrDefault(group.name(), group))
                      .toList();
            }
            default -> {}
          }
          return real;
        });
  }

  /** What becomes of a store's real answer. */
  private interface Belief {
    Object instead(String method, Object[] arguments, Object real);
  }

  private static <T> T proxy(Class<T> type, T real, Belief belief) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (unused, method, arguments) ->
                belief.instead(method.getName(), arguments, call(real, method, arguments)));
    return type.cast(proxy);
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
