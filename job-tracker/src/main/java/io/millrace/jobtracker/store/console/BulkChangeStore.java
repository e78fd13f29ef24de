package io.millrace.jobtracker.store.console;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bulk changes that operators requested: each changes all that matches a search, page by page.
 * One tracker at a time makes a bulk change, under a lease that it renews with each page.
 */
public interface BulkChangeStore {

  /** What is done to each that matches. */
  enum Action {
    PAUSE_JOBS,
    RESUME_JOBS,
    CANCEL_JOBS,
    CANCEL_ONE_SHOTS,
    TERMINATE_EXECUTIONS,
    REPLAY_DEAD,
    DISCARD_DEAD
  }

  /**
   * The conditions of a search; null means any.
   *
   * @param prefix of the task id
   * @param contains in the task id, in any case
   * @param from dead at this time or later, epoch milliseconds
   * @param to dead before this time, epoch milliseconds
   */
  record Filter(
      @Nullable String nodeGroup,
      @Nullable String prefix,
      @Nullable String contains,
      @Nullable String handler,
      @Nullable String owner,
      @Nullable String state,
      @Nullable String task,
      @Nullable String worker,
      @Nullable Long from,
      @Nullable Long to) {}

  /**
   * How the change is made.
   *
   * @param reason of a pause; null for none
   * @param params of a replay; null keeps the former ones
   * @param keepSucceeded whether a replay keeps the parts of a run that succeeded
   */
  record Options(
      @Nullable String reason, @Nullable Map<String, String> params, boolean keepSucceeded) {}

  /**
   * What was requested.
   *
   * @param at epoch milliseconds; what is stored, claimed or dead later is left
   * @param operator name of the token
   * @param address the address that sent the request
   */
  record Request(
      Action action, Filter filter, Options options, long at, String operator, String address) {}

  /** Whether it is under way, or how it ended. */
  enum State {
    ACTIVE,
    DONE,
    STOPPED,
    FAILED
  }

  /**
   * One that could not be changed. What is not known of it is null.
   *
   * @param name for people
   * @param id of the execution or the dead trigger
   */
  record Failure(
      String name,
      @Nullable String nodeGroup,
      @Nullable String taskId,
      @Nullable Long id,
      String why) {}

  /**
   * How far it is.
   *
   * @param total how many matched at first; null if they are not yet counted, or too many
   * @param done how many were tried, failed ones included
   * @param reached where the next page begins; null at the beginning
   * @param failures the first that failed
   */
  record Progress(
      @Nullable Long total,
      long done,
      long failed,
      @Nullable String reached,
      List<Failure> failures) {
    /** Nothing is done yet. */
    public static final Progress NONE = new Progress(null, 0, 0, null, List.of());
  }

  /**
   * How it ended.
   *
   * @param at epoch milliseconds
   * @param reason who stopped it, or why it failed; null if it was done
   */
  record End(State state, long at, @Nullable String reason) {}

  /**
   * A bulk change.
   *
   * @param end null while it is under way
   */
  record BulkChange(long id, Request request, Progress progress, @Nullable End end) {}

  /** Stores a bulk change that has not begun. */
  void add(long id, Request request);

  /** Returns the bulk change of this id. */
  Optional<BulkChange> find(long id);

  /** Returns bulk changes with an id below this one, newest first. */
  List<BulkChange> list(long belowId, int limit);

  /** Returns bulk changes that have not ended, with an id below this one, newest first. */
  List<BulkChange> listActive(long belowId, int limit);

  /**
   * Takes the lease of a bulk change that has not ended, or renews it, unless another owner holds
   * it.
   *
   * @param owner the run of a tracker
   * @param now epoch milliseconds
   * @param until end of the lease, epoch milliseconds
   * @return whether the owner holds the lease
   */
  boolean lease(long id, long owner, long now, long until);

  /**
   * Writes the progress, also of one that was stopped meanwhile.
   *
   * @return false if another owner has taken the lease: nothing was written
   */
  boolean save(long id, long owner, Progress progress);

  /** Ends a bulk change; returns false if it had ended before, or does not exist. */
  boolean end(long id, End end);

  /** Gives up all leases of an owner. */
  void release(long owner);

  /** Deletes bulk changes that ended before this time, at most limit; returns how many. */
  int deleteEndedBefore(long before, int limit);
}
