package io.millrace.jobtracker.domain.batch;

/** How large batches may be. */
public final class BatchBounds {
  /** Parts below one root, in all batches together. */
  public static final int MAX_PARTS = 1_000_000;

  /** Batches above one another, the root included. */
  public static final int MAX_DEPTH = 8;

  /** Bytes of parameters and results of the parts of one batch, in UTF-8. */
  public static final long MAX_BYTES = 1L << 30;

  /** Parts that one request stages, and parts that one transaction deletes. */
  public static final int MAX_PARTS_AT_ONCE = 1_000;

  private BatchBounds() {}
}
