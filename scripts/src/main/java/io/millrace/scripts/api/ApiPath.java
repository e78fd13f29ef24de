package io.millrace.scripts.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A path of the API with its query, percent-encoded. Immutable. */
public final class ApiPath {
  private static final String V1 = "/api/v1/";

  private final String path;
  private final Map<String, String> query;

  private ApiPath(String path, Map<String, String> query) {
    this.path = path;
    this.query = query;
  }

  /** Creates a path below {@code /api/v1} from these parts, which may contain any characters. */
  public static ApiPath of(String... parts) {
    return new ApiPath(
        V1 + Arrays.stream(parts).map(ApiPath::encoded).collect(Collectors.joining("/")), Map.of());
  }

  /** Creates a path outside {@code /api/v1}. */
  public static ApiPath outside(String path) {
    return new ApiPath(path, Map.of());
  }

  /** Returns this path with a query parameter added, or unchanged if the value is null. */
  public ApiPath with(String name, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    Map<String, String> more = new LinkedHashMap<>(query);
    more.put(name, value.toString());
    return new ApiPath(path, more);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return query.isEmpty()
        ? path
        : path
            + query.entrySet().stream()
                .map(parameter -> encoded(parameter.getKey()) + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&", "?", ""));
  }
}
