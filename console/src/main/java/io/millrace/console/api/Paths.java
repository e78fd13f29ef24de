package io.millrace.console.api;

import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.jobtracker.store.order.AgeOrder;

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
          "Maximum number of items in a page");

  public static final Param<String> AFTER =
      Param.query(
          "after",
          ParamForm.text(1_200),
          "The 'next' of the previous page; leave out for the first page");

  public static final Param<AgeOrder> ORDER =
      Param.query(
          "order",
          ParamForm.choice(AgeOrder.class),
          AgeOrder.NEWEST_FIRST,
          "Which come first; 'after' goes on in the same order");

  public static final Param<AgeOrder> FROM_OLDEST =
      Param.query(
          "order",
          ParamForm.choice(AgeOrder.class),
          AgeOrder.OLDEST_FIRST,
          "Which come first; 'after' goes on in the same order");

  public static final Param<String> OF_GROUP =
      Param.query("group", ParamForm.text(64), "Only those of this node group");
  public static final Param<String> OF_WORKER =
      Param.query("worker", ParamForm.text(128), "Only those of this worker");
  public static final Param<String> OF_HANDLER =
      Param.query("handler", ParamForm.text(128), "Only those with this handler");
  public static final Param<String> OF_PREFIX =
      Param.query(
          "prefix",
          ParamForm.text(128),
          "Only those whose task id begins with this; uses an index");
  public static final Param<String> CONTAINS =
      Param.query(
          "contains",
          ParamForm.text(128),
          "Only those whose task id contains this, ignoring case; a limited number is examined");
  public static final Param<String> NAME_CONTAINS =
      Param.query(
          "contains", ParamForm.text(128), "Only those whose name contains this, ignoring case");
  public static final Param<String> GROUP =
      Param.path("group", ParamForm.text(64), "Name of the node group");

  public static final Param<String> TASK =
      Param.path("task", ParamForm.text(128), "Task id of the job, percent-encoded");

  private Paths() {}

  /** The id that comes before all others of a list that is read in order of time. */
  public static long beginning(AgeOrder order) {
    return order == AgeOrder.OLDEST_FIRST ? 0 : Long.MAX_VALUE;
  }
}
