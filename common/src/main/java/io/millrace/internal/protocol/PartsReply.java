package io.millrace.internal.protocol;

import java.util.List;

/**
 * Answers {@link PartsRequest}.
 *
 * @param held whether the worker holds the execution, and it is a reduce
 * @param parts in the order of their numbers: at most {@value #MAX_PARTS}, and except for a single
 *     part at most {@value #MAX_BYTES} bytes of results and parameters
 * @param more whether parts with higher numbers follow
 */
public record PartsReply(boolean held, List<PartResult> parts, boolean more) {
  public static final int MAX_PARTS = 1_000;

  /**
   * The most bytes of UTF-8 of the results and parameters of a page. A result is JSON within JSON,
   * which may take twice its bytes: a page must fit into a frame even so.
   */
  public static final long MAX_BYTES = 4_000_000;

  public PartsReply {
    parts = parts == null ? List.of() : List.copyOf(parts);
  }
}
