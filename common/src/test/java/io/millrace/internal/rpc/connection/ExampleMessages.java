package io.millrace.internal.rpc.connection;

import io.millrace.api.Schedule;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** One message of each type, with a value in every field; values of one message need not fit. */
final class ExampleMessages {
  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("nodeGroup", "orders"),
          Map.entry("taskId", "close:42"),
          Map.entry("submissionId", "3f1c-1"),
          Map.entry("nodeId", "worker-7"),
          Map.entry("group", "orders"),
          Map.entry("handler", "close"),
          Map.entry("nonce", "00112233445566778899aabbccddeeff"),
          Map.entry("challenge", "ffeeddccbbaa99887766554433221100"),
          Map.entry("proof", "d1ab12b50eb080ec7954fd5694269c478c01c397b655abe3f5b20e0cf7f46f11"),
          Map.entry("trackerId", "tracker-1"),
          Map.entry("address", "10.0.0.1:35001"),
          Map.entry("owner", "10.0.0.1:35001"),
          Map.entry("trackers", "10.0.0.1:35001"),
          Map.entry("language", "en"),
          Map.entry("expression", "0 0/5 * * * ?"),
          Map.entry("traceParent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
          Map.entry("traceState", "vendor=value"),
          Map.entry("nonRetryable", "java.lang.IllegalArgumentException"),
          Map.entry("exceptionTypes", "java.lang.IllegalStateException"));

  private ExampleMessages() {}

  /** A message of this record. */
  static Object of(Class<?> type) {
    return value(type.getSimpleName(), type);
  }

  private static Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values =
        Arrays.stream(components)
            .map(component -> value(component.getName(), component.getGenericType()))
            .toArray();
    try {
      Constructor<?> canonical =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      canonical.setAccessible(true);
      return canonical.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("no example of " + type, e);
    }
  }

  private static Object value(String name, Type type) {
    if (type instanceof ParameterizedType generic) {
      return generic.getRawType() == Map.class
          ? Map.of("orderId", "42")
          : List.of(value(name, generic.getActualTypeArguments()[0]));
    }
    Class<?> raw = (Class<?>) type;
    if (raw == Schedule.class) {
      return record(Schedule.Cron.class);
    }
    if (raw.isRecord()) {
      return record(raw);
    }
    if (raw.isEnum()) {
      return raw.getEnumConstants()[0];
    }
    return scalar(name, raw);
  }

  private static Object scalar(String name, Class<?> type) {
    if (type == String.class) {
      return TEXTS.getOrDefault(name, "text");
    } else if (type == int.class || type == Integer.class) {
      return 1;
    } else if (type == long.class || type == Long.class) {
      return 9_007_199_254_740_993L;
    } else if (type == double.class || type == Double.class) {
      return name.equals("jitter") ? 0.25 : 2.5;
    } else if (type == boolean.class || type == Boolean.class) {
      return true;
    } else if (type == Instant.class) {
      return Instant.parse("2026-01-01T00:00:00.125Z");
    } else if (type == Duration.class) {
      return Duration.ofSeconds(90);
    } else if (type == ZoneId.class) {
      return ZoneId.of("Asia/Shanghai");
    }
    throw new IllegalArgumentException("no example of " + name + " of " + type);
  }
}
