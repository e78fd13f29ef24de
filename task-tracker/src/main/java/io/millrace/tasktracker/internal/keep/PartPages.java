package io.millrace.tasktracker.internal.keep;

import io.millrace.internal.protocol.PartResult;
import io.millrace.internal.protocol.PartsReply;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;

/** Goes through the ends of parts; holds one page of them. Not thread-safe. */
final class PartPages implements Iterator<PartResult> {
  private final IntFunction<PartsReply> read;
  private Iterator<PartResult> page = List.<PartResult>of().iterator();
  private int last;
  private boolean more = true;

  /**
   * @param read returns the page of the parts above a number
   */
  PartPages(IntFunction<PartsReply> read) {
    this.read = read;
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && more) {
      PartsReply reply = read.apply(last);
      page = reply.parts().iterator();
      more = reply.more();
      if (more && !page.hasNext()) {
        throw new IllegalStateException(
            "the tracker has parts above number " + last + " but sent none");
      }
    }
    return page.hasNext();
  }

  @Override
  public PartResult next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there are no parts above number " + last);
    }
    PartResult part = page.next();
    if (part.number() <= last) {
      throw new IllegalStateException(
          "the tracker sent part %d after part %d".formatted(part.number(), last));
    }
    last = part.number();
    return part;
  }
}
