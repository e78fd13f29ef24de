package io.millrace.torture.plant;

import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.kept.KeptStore;
import io.millrace.jobtracker.store.kept.KeptStore.Kept;
import io.millrace.jobtracker.store.kept.KeptStore.Kind;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A store that finds steps by the task id and not by the trigger: a trigger without a step gets the
 * last one that any trigger of its task id stored at this tracker.
 */
final class StepsByTaskId {
  private static final int MOST_EXECUTIONS = 10_000;

  private final Map<String, Kept> lastSteps = new ConcurrentHashMap<>();
  private final Stores stores;

  StepsByTaskId(Stores stores) {
    this.stores = stores;
  }

  /** Returns the same stores with the fault. */
  Stores planted() {
    return stores.with(KeptStore.class, this::careless);
  }

  private KeptStore careless(KeptStore sound) {
    return (KeptStore)
        Proxy.newProxyInstance(
            KeptStore.class.getClassLoader(),
            new Class<?>[] {KeptStore.class},
            (proxy, method, arguments) -> {
              try {
                return switch (method.getName()) {
                  case "write" ->
                      write(
                          sound,
                          (String) arguments[0],
                          (KeepRequest) arguments[1],
                          (Long) arguments[2]);
                  case "read" -> read(sound, (Run) arguments[0]);
                  default -> method.invoke(sound, arguments);
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private KeepStatus write(KeptStore sound, String worker, KeepRequest request, long at) {
    KeepStatus status = sound.write(worker, request, at);
    if (status == KeepStatus.KEPT && request.kind() == KeptKind.STEP) {
      stores.executing().find(List.of(request.executionId())).stream()
          .map(StepsByTaskId::taskOf)
          .forEach(task -> lastSteps.put(task, stepOf(request, at)));
    }
    return status;
  }

  private static Kept stepOf(KeepRequest request, long at) {
    return new Kept(Kind.STEP, Objects.requireNonNull(request.name()), request.value(), at);
  }

  private List<Kept> read(KeptStore sound, Run run) {
    List<Kept> kept = new ArrayList<>(sound.read(run));
    if (kept.stream().noneMatch(row -> row.kind() == Kind.STEP)) {
      taskOf(run).map(lastSteps::get).ifPresent(kept::add);
    }
    return kept;
  }

  private Optional<String> taskOf(Run run) {
    return stores.nodeGroups().all().stream()
        .flatMap(group -> executing(group.name()))
        .filter(execution -> Run.of(execution).equals(run))
        .map(StepsByTaskId::taskOf)
        .findFirst();
  }

  private Stream<Execution> executing(String group) {
    return stores.executing().findByGroup(group, Long.MIN_VALUE, MOST_EXECUTIONS).stream();
  }

  private static String taskOf(Execution execution) {
    return execution.nodeGroup() + "/" + execution.key().taskId();
  }
}
