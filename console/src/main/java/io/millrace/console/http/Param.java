package io.millrace.console.http;

import java.time.DateTimeException;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a route, in its path or its query.
 *
 * @param name in the path's template, or in the query
 * @param inPath whether it is a part of the path; otherwise it is in the query, and optional
 * @param fallback the default if it is missing; null for none
 * @param description one line for the OpenAPI document
 */
public record Param<T>(
    String name, boolean inPath, @Nullable T fallback, ParamForm<T> form, String description) {

  /** A path parameter. */
  public static <T> Param<T> path(String name, ParamForm<T> form, String description) {
    return new Param<>(name, true, null, form, description);
  }

  /** An optional query parameter. */
  public static <T> Param<T> query(String name, ParamForm<T> form, String description) {
    return new Param<>(name, false, null, form, description);
  }

  /** A query parameter with a default. */
  public static <T> Param<T> query(String name, ParamForm<T> form, T fallback, String description) {
    return new Param<>(name, false, fallback, form, description);
  }

  /** Parses its text; throws a problem that names the parameter. */
  public T read(String text) {
    T value;
    try {
      value = form.reader().apply(text);
    } catch (NumberFormatException | DateTimeException e) {
      value = null;
    }
    if (value == null) {
      String where = inPath ? "the path parameter " : "the query parameter ";
      throw Problem.Kind.BAD_REQUEST.because(
          where + name + " " + form.allowed() + ", not " + shown(text));
    }
    return value;
  }

  /** An invalid text in quotes, cut if it is long. */
  public static String shown(String text) {
    return text.length() <= 60 ? "'" + text + "'" : "'" + text.substring(0, 60) + "…'";
  }
}
