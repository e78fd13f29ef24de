package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.Stores;
import java.time.Duration;

/** Deletes per-minute counts that are older than two days, which are no longer displayed. */
final class MinuteCountPurge {
  static final Duration KEEP = Duration.ofDays(2);

  private final Stores stores;
  private final PurgeBounds portions;

  MinuteCountPurge(Stores stores, PurgeBounds portions) {
    this.stores = stores;
    this.portions = portions;
  }

  DeleteResult runOnce(long now) {
    long before = now - KEEP.toMillis();
    return portions.delete(
        () ->
            stores
                .transactions()
                .repeating(
                    "purge the counts of minutes",
                    () ->
                        stores.console().fleet().counts().deleteBefore(before, portions.chunk())));
  }
}
