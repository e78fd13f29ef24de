package io.millrace.console.api;

import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;

/** Paths and parameters that several routes share. */
public final class Paths {
  public static final String V1 = "/api/v1";

  /** Default and greatest number of items of a page. */
  private static final int USUAL_PAGE = 50;

  private static final int LARGEST_PAGE = 500;

  public static final Param<Integer> LIMIT =
      Param.query(
          "limit",
          ParamForm.integer(1, LARGEST_PAGE),
          USUAL_PAGE,
          "How many items a page has at most");

  public static final Param<String> AFTER =
      Param.query(
          "after", ParamForm.text(1_200), "What the page before gave as next; none for the first");

  public static final Param<String> GROUP =
      Param.path("group", ParamForm.text(64), "Name of the node group");

  public static final Param<String> TASK =
      Param.path("task", ParamForm.text(128), "Task id of the job, percent-encoded");

  private Paths() {}
}
