package io.millrace.spring.internal.embedded;

import io.millrace.spring.internal.config.Connection;
import io.millrace.spring.internal.config.MillraceStartException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of a tracker's configuration, from the properties of the application. */
final class TrackerSettings {
  static final String PREFIX = "millrace.tracker.settings";

  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "store.url", "millrace.tracker.store.url",
          "store.username", "millrace.tracker.store.username",
          "store.password", "millrace.tracker.store.password",
          "rpc.client-token", "millrace.client.token",
          "rpc.worker-token", "millrace.worker.token",
          "console.enabled", "millrace.tracker.console.enabled");

  private TrackerSettings() {}

  /**
   * Returns the keys with their values.
   *
   * @param given what the application sets
   * @throws MillraceStartException if a key has a property of its own, or if only one side encrypts
   */
  static Map<String, String> of(
      Map<String, String> given, StoreLocation store, Connection connection) {
    for (String key : List.copyOf(given.keySet())) {
      String property = ELSEWHERE.get(key);
      if (property != null) {
        throw new MillraceStartException(
            "%s.%s cannot be set.".formatted(PREFIX, key), "Set %s instead.".formatted(property));
      }
    }
    Map<String, String> all = new LinkedHashMap<>(given);
    all.putIfAbsent("rpc.port", "0");
    all.put("store.url", store.url());
    all.put("store.username", store.username());
    set(all, "store.password", store.password());
    set(all, "rpc.client-token", connection.clientToken());
    set(all, "rpc.worker-token", connection.workerToken());
    boolean encrypts = all.containsKey("rpc.tls.certificate");
    if (encrypts != (connection.tls() != null)) {
      throw new MillraceStartException(
          encrypts
              ? "The tracker in the application encrypts, but its client and its worker do not."
              : "The client and the worker encrypt, but the tracker in the application does not.",
          "Set both or none: millrace.tls.*, and rpc.tls.certificate and rpc.tls.key below "
              + PREFIX
              + ".");
    }
    return all;
  }

  private static void set(Map<String, String> all, String key, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      all.put(key, value);
    }
  }
}
