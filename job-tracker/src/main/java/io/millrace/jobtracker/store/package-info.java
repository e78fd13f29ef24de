/**
 * What the tracker keeps: one interface per aggregate. The database is the record; whatever memory
 * holds beside it is a cache. All SQL is in {@code store.jdbc}.
 *
 * <p>Methods take part in the transaction of the calling thread that {@link
 * io.millrace.jobtracker.store.Transactions} began, or else commit by themselves. A store that
 * cannot be reached is a {@link io.millrace.jobtracker.store.failure.StoreException}, never an
 * empty answer. All stores are thread-safe.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store;
