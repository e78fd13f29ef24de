package io.millrace.console.http.server;

import io.millrace.console.http.Route;
import io.millrace.console.http.StaticFile;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The methods that each path takes. Immutable. */
final class AllowedMethods {
  private record Taken(Pattern path, Collection<String> methods) {}

  private final List<Taken> all;

  AllowedMethods(List<Route> routes, List<StaticFile> files) {
    this.all =
        Stream.concat(
                routes.stream()
                    .map(route -> new Taken(pattern(route.path()), List.of(route.method().name()))),
                files.stream().map(file -> new Taken(pattern(file.path()), List.of("GET", "HEAD"))))
            .toList();
  }

  private static Pattern pattern(String template) {
    return Pattern.compile(Pattern.quote(template).replaceAll("\\{[^}/]+}", "\\\\E[^/]+\\\\Q"));
  }

  /** The methods of a path in the format of the header Allow. */
  String of(String path) {
    Set<String> methods = new TreeSet<>();
    for (Taken taken : all) {
      if (taken.path().matcher(path).matches()) {
        methods.addAll(taken.methods());
      }
    }
    return String.join(", ", methods);
  }
}
