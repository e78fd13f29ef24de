package io.millrace.jobtracker.store.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators asked to be changed, and who signed in or was refused. Entries are added; only
 * their outcome is written later, once; and they go when they are old.
 */
public interface AuditStore {

  /**
   * A change that was asked for, or a sign-in.
   *
   * @param askedAt epoch milliseconds
   * @param operator name of the token it was asked with; {@code -} if the token is not known
   * @param address where the request came from
   * @param action the operation
   * @param target what it was asked of
   * @param detail the body of the request; null if it had none, or holds a secret
   * @param status HTTP status of the answer; null if the process ended before there was one
   * @param outcome why it was refused or failed; null if it was done
   */
  record Entry(
      long id,
      long askedAt,
      String operator,
      Role role,
      String address,
      String action,
      String target,
      @Nullable String detail,
      @Nullable Integer status,
      @Nullable String outcome) {}

  /** Adds an entry. Long texts are cut. */
  void append(Entry entry);

  /** Writes the outcome of an entry that has none yet. */
  void conclude(long id, int status, @Nullable String outcome);

  /**
   * Which entries are wanted.
   *
   * @param operator those of this operator; null for any
   * @param action those of this operation; null for any
   * @param belowId those older than this id
   */
  record Query(@Nullable String operator, @Nullable String action, long belowId) {}

  /**
   * A page of a search.
   *
   * @param entries newest first
   * @param lowestId of the entries that were looked at; null if none is left below
   */
  record Found(List<Entry> entries, @Nullable Long lowestId) {}

  /**
   * The newest entries that are wanted, at most limit, among the newest {@code lookAt} below the
   * id.
   */
  Found search(Query query, int limit, int lookAt);

  /** Deletes entries below an id, the oldest first, at most limit; returns how many there were. */
  int deleteBelow(long belowId, int limit);
}
