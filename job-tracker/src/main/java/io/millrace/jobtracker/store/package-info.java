/**
 * The state that the tracker keeps: one interface per aggregate. The database is the record; all
 * state in memory is a cache. All SQL is in {@code store.jdbc}.
 *
 * <p>Methods join the transaction that {@link io.millrace.jobtracker.store.Transactions} began for
 * the calling thread, or else commit by themselves. If the store cannot be reached, they throw a
 * {@link io.millrace.jobtracker.store.failure.StoreException} and never return an empty result
 * instead. All stores are thread-safe.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store;
