package io.millrace.jobtracker.store.batch;

import io.millrace.api.PartFailurePolicy;
import io.millrace.jobtracker.domain.batch.Ancestry;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartDraft;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.ReduceState;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.Lane;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The batches of all node groups. Rows are written in the order jobs, batches, then waiting,
 * executing and ledger, and batches in order of their ids: a batch has a lower id than those of its
 * parts. Only a STAGED one is written after its execution, which alone decides about it.
 */
public interface BatchStore {

  /** Inserts batches that are open from the start, in the transaction that claims their runs. */
  void insert(List<Batch> batches);

  /** Notes the workers that a broadcast is for, in the transaction that inserts its batch. */
  void bind(long id, List<BoundTo> workers);

  /** The workers that a broadcast is for, in order of the numbers of its parts. */
  List<BoundTo> workersOf(long id);

  /**
   * What is decided by a locked row.
   *
   * @param nodeGroup the batch's node group
   * @param bytes of the parameters and results that are stored for its parts
   */
  record LockedBatch(
      long id,
      String nodeGroup,
      BatchState state,
      PartCounts counts,
      PartFailurePolicy onPartFailure,
      ReduceState reduce,
      Ancestry ancestry,
      long bytes) {

    /** Whether a trigger of it may be written to waiting. */
    public boolean isOpen() {
      return state == BatchState.OPEN;
    }

    /** How far it is. */
    public BatchProgress progress() {
      return progress(counts);
    }

    /** How far it is with these counts. */
    public BatchProgress progress(PartCounts now) {
      return BatchProgress.of(now, state, onPartFailure);
    }

    /**
     * Whether its reduce will read what its parts return, or the run's end what that returns; or
     * else the reduce of a run that takes these results over, after a stop.
     */
    public boolean needsResults() {
      return state.isUnderWay() && reduce != ReduceState.NONE;
    }

    /** These batches by their ids. */
    public static Map<Long, LockedBatch> byId(Collection<LockedBatch> batches) {
      return batches.stream().collect(Collectors.toMap(LockedBatch::id, Function.identity()));
    }
  }

  /**
   * Locks batches until the caller's transaction ends, by writing their rows in order of id, and
   * returns those that exist. Nothing else of them changes meanwhile.
   */
  Map<Long, LockedBatch> lock(Collection<Long> ids);

  /** As {@link #lock}, without the lock: what may have changed since. */
  Map<Long, LockedBatch> look(Collection<Long> ids);

  /**
   * Counts ends of parts, in the transaction whose deletes of executing or waiting rows decided
   * these ends. One update a batch, in order of id. The end of a batch's reduce is noted as such: a
   * reduce runs alone.
   */
  void countEnds(Map<Long, PartEnds> ends);

  /** Adds to the bytes that are stored for the parts of batches, in order of id. */
  void addBytes(Map<Long, Long> bytes);

  /**
   * Moves the mark up to which parts were released, and returns whether it did: the batch must be
   * open, and the mark must be where it was read. Then the caller inserts these parts into waiting.
   */
  boolean release(long id, int releasedBefore, int releasedNow);

  /**
   * Tells those of these batches to end that are open. Their parts that were not released count as
   * cancelled; those that wait are withdrawn in other transactions.
   *
   * @param by who terminated the runs; empty if they were cancelled otherwise
   * @return how many were open
   */
  int stop(Collection<Long> ids, BatchStop why, String by);

  /**
   * Notes who terminated those of these batches that are stopping; who did it first stays recorded.
   *
   * @return how many are stopping
   */
  int terminate(Collection<Long> ids, String by);

  /** Corrects the counts of a batch whose row the caller has locked. */
  void correct(long id, PartCounts counts);

  /**
   * Adds the reduce to a batch whose parts have all ended, as its last part, and returns whether it
   * did: the batch must be open, and its reduce still to come. Then the caller inserts the part
   * into waiting.
   */
  boolean releaseReduce(long id);

  /**
   * Adds a replay of a dead part to a batch, as its last part, and returns whether it did: the
   * batch must be open, have this number of parts, and not have released its reduce. Then the
   * caller stores the part, which is released in its turn.
   */
  boolean addReplay(long id, int totalBefore);

  /** Deletes a batch whose parts have all ended, and returns whether it was there and so. */
  boolean deleteEnded(long id);

  // Staging.

  /** The answer to a request to stage parts. */
  enum Staged {
    /** They are stored. */
    STORED,
    /** The worker does not hold the execution, or its job was cancelled. */
    LOST,
    /** The number of the first one is not the next. */
    CONFLICT,
    /** More parts than may be below one root. */
    TOO_MANY,
    /** A part of a batch whose parts may not split. */
    TOO_DEEP,
    /** More bytes than a batch may have. */
    TOO_LARGE
  }

  /**
   * Stages parts for an execution. First writes the row of the execution, whose count decides. A
   * repeated request is known by its first number, gets the same answer, and changes nothing.
   *
   * @param first number of the first of these parts, from 1
   * @param parts {@value io.millrace.jobtracker.domain.batch.BatchBounds#MAX_PARTS_AT_ONCE} at most
   * @param lane in which all parts of the execution will wait, given with the first; null means
   *     that of the execution
   */
  Staged stage(
      String workerId, long executionId, int first, List<PartDraft> parts, @Nullable Lane lane);

  /** As the other method, for parts that wait in the lane of their execution. */
  default Staged stage(String workerId, long executionId, int first, List<PartDraft> parts) {
    return stage(workerId, executionId, first, parts, null);
  }

  /**
   * Opens a staged batch, in the transaction that deleted the execution which staged it.
   *
   * @param run the execution, unchanged since it was read
   * @param total how many parts the execution says that it staged; the batch must have as many
   * @return whether it had
   */
  boolean open(Execution run, int total, long now);

  /**
   * The staged batches of a node group with an id above this one whose execution has ended, in
   * order of id: none of their parts will ever be a trigger.
   */
  List<Long> findLeftStaged(String nodeGroup, long aboveId, int limit);

  /** Deletes a staged batch, and returns whether there was one; its parts are deleted before. */
  boolean deleteStaged(long id);

  // Reading.

  /** The batches of these ids, with all their parameters; missing ones are omitted. */
  List<Batch> find(Collection<Long> ids);

  /**
   * The batches under way of a node group with an id above this one, in order of id, larger
   * parameters left in the store.
   */
  List<Batch> findUnderWay(String nodeGroup, long aboveId, int limit);

  /** Whether a node group has any batches, staged ones included. One index step. */
  boolean hasAny(String nodeGroup);

  /** The batches under way whose runs are of this task id, in order of id. */
  List<Long> findByTask(String nodeGroup, String taskId);

  /**
   * Batches of a node group with an id above this one whose parts have all ended, and whose end is
   * to be recorded, in order of id.
   */
  List<Long> findAllEnded(String nodeGroup, long aboveId, int limit);

  /**
   * Open batches of a node group with an id above this one of whose window so much is free that it
   * is refilled, and that have more parts, in order of id.
   */
  List<Long> findToRelease(String nodeGroup, long aboveId, int window, int limit);

  /**
   * Open batches of a node group with an id above this one that are to be stopped, in order of id:
   * their deadline has come, or a part failed and they stop then.
   */
  List<Long> findToStop(String nodeGroup, long aboveId, long now, int limit);

  /**
   * How many parts wait or run of all batches under way below a root, itself included; parts that
   * were split do not count, but those of their batches.
   */
  int countLive(long rootId);

  /**
   * A batch that was told to end, and has parts that have not.
   *
   * @param isTerminated whether its parts are to be interrupted
   */
  record Stopping(long id, boolean isTerminated) {}

  /** The stopping batches of a node group with an id above this one, in order of id. */
  List<Stopping> findStopping(String nodeGroup, long aboveId, int limit);

  /** The batches under way directly below these, in order of id. */
  List<Long> findBelow(Collection<Long> parentIds);
}
