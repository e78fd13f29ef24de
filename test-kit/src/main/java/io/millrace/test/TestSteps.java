package io.millrace.test;

import io.millrace.api.NotRetryableException;
import io.millrace.api.ValueMapper;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.values.JsonText;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Steps and checkpoint of a {@link TestJobContext}, with the rules of a worker: values are kept as
 * JSON, a name stands for one step, and a value that cannot be kept does not let its body run
 * again. Thread-safe.
 */
final class TestSteps {
  /**
   * A step that is done.
   *
   * @param json its value; null if it has none
   * @param fault why its value could not be kept; null if it was
   */
  private record Done(@Nullable String json, @Nullable String fault) {}

  private final String attempt;
  private final ValueMapper values;
  private final Map<String, Done> before;
  private final Map<String, Done> done = new LinkedHashMap<>();
  private final Set<String> used = new HashSet<>();
  private @Nullable String checkpoint;

  private TestSteps(
      String attempt, ValueMapper values, Map<String, Done> before, @Nullable String checkpoint) {
    this.attempt = attempt;
    this.values = values;
    this.before = before;
    this.checkpoint = checkpoint;
  }

  /** Returns the steps of an attempt before which nothing was kept. */
  static TestSteps none(String attempt, ValueMapper values) {
    return new TestSteps(attempt, values, Map.of(), null);
  }

  /** Returns the steps of the attempt after this one. */
  synchronized TestSteps next(String nextAttempt) {
    Map<String, Done> all = new LinkedHashMap<>(before);
    all.putAll(done);
    return new TestSteps(nextAttempt, values, all, checkpoint);
  }

  /** Returns the names of the steps whose bodies this attempt has run. */
  synchronized List<String> names() {
    return List.copyOf(done.keySet());
  }

  /**
   * Runs a step, or returns its value if an attempt before has run it.
   *
   * @param type null for a step without a value
   */
  @Nullable Object step(String name, @Nullable Type type, Callable<?> body) throws Exception {
    begin(name);
    Done known = before.get(name);
    if (known != null) {
      return read(name, known, type);
    }
    Object result = body.call();
    Done now = type == null ? new Done(null, null) : keep(result);
    synchronized (this) {
      done.put(name, now);
    }
    if (now.fault() != null) {
      throw fault(name, "its body has run, but its value cannot be kept: " + now.fault());
    }
    return type == null ? null : result;
  }

  private synchronized void begin(String name) {
    requireName(name);
    if (!used.add(name)) {
      throw fault(name, "the name is used twice in this attempt");
    }
    if (!before.containsKey(name) && before.size() + done.size() >= KeepRequest.MAX_STEPS) {
      throw fault(name, "a run can have at most " + KeepRequest.MAX_STEPS + " steps");
    }
  }

  void requireName(String name) {
    String wrong = KeepRequest.faultOfName(name);
    if (wrong != null) {
      throw fault(name, "the name " + wrong);
    }
  }

  private @Nullable Object read(String name, Done known, @Nullable Type type) {
    if (known.fault() != null) {
      throw fault(name, "it ran in an earlier attempt, but " + known.fault());
    }
    if (type == null) {
      return null;
    }
    if (known.json() == null) {
      throw fault(name, "it was kept without a value, and one is asked for");
    }
    return parse("step '" + name + "'", known.json(), type);
  }

  private Done keep(@Nullable Object result) {
    if (result == null) {
      return new Done(null, "its body returned null");
    }
    try {
      String json = values.toJson(result);
      String wrong = JsonText.faultOf(json);
      return wrong == null ? new Done(json, null) : new Done(null, "its value " + wrong);
    } catch (RuntimeException e) {
      return new Done(null, "its value has no JSON form: " + e.getMessage());
    }
  }

  void checkpoint(Object value) {
    Done now = keep(value);
    if (now.fault() != null) {
      throw new NotRetryableException(
          "%s: a checkpoint cannot be kept: %s".formatted(attempt, now.fault()));
    }
    synchronized (this) {
      checkpoint = now.json();
    }
  }

  /** Returns the last checkpoint, or null. */
  @Nullable Object lastCheckpoint(Type type) {
    String json;
    synchronized (this) {
      json = checkpoint;
    }
    return json == null ? null : parse("the checkpoint", json, type);
  }

  private Object parse(String what, String json, Type type) {
    try {
      return values.fromJson(json, type);
    } catch (RuntimeException e) {
      throw new NotRetryableException(
          "%s: what %s kept does not fit %s: %s"
              .formatted(attempt, what, type.getTypeName(), e.getMessage()),
          e);
    }
  }

  private NotRetryableException fault(String name, String why) {
    return new NotRetryableException("%s: step '%s': %s".formatted(attempt, name, why));
  }
}
