package io.millrace.console.http;

import org.jspecify.annotations.Nullable;

/**
 * A parameter of a route, in its path or in its query.
 *
 * @param name in the path's template, or in the query
 * @param inPath whether it is a part of the path
 * @param required whether a request without it is refused
 * @param fallback what stands for one that is missing; null if nothing does
 * @param description one line for the OpenAPI document
 */
public record Param<T>(
    String name,
    boolean inPath,
    boolean required,
    @Nullable T fallback,
    ParamForm<T> form,
    String description) {

  /** A part of the path. */
  public static <T> Param<T> path(String name, ParamForm<T> form, String description) {
    return new Param<>(name, true, true, null, form, description);
  }

  /** A part of the query that may be missing. */
  public static <T> Param<T> query(String name, ParamForm<T> form, String description) {
    return new Param<>(name, false, false, null, form, description);
  }

  /** A part of the query with a value of its own for when it is missing. */
  public static <T> Param<T> query(String name, ParamForm<T> form, T fallback, String description) {
    return new Param<>(name, false, false, fallback, form, description);
  }

  /** A part of the query that has to be there. */
  public static <T> Param<T> required(String name, ParamForm<T> form, String description) {
    return new Param<>(name, false, true, null, form, description);
  }

  /** Reads its text; throws a problem that names it. */
  public T read(String text) {
    try {
      return form.reader().apply(text);
    } catch (IllegalArgumentException e) {
      String where = inPath ? "the path's " : "the query's ";
      throw Problem.Kind.BAD_REQUEST.because(
          where + name + " " + e.getMessage() + ", not " + shown(text));
    }
  }

  /** As much of a wrong text as helps to find it. */
  public static String shown(String text) {
    return text.length() <= 60 ? "'" + text + "'" : "'" + text.substring(0, 60) + "…'";
  }
}
