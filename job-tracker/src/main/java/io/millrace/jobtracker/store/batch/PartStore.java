package io.millrace.jobtracker.store.batch;

import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartKey;
import java.util.List;

/** Parts whose parameters or results are stored apart from their triggers. */
public interface PartStore {

  /** Inserts parts. */
  void append(List<Part> parts);

  /**
   * The parts of a batch with a number above this one, in order of number, with parameters and
   * results.
   */
  List<Part> read(long batchId, int aboveNumber, int limit);

  /**
   * As the other method, as many parts as have up to so many bytes of parameters and results in
   * all; at least one, if there is any.
   */
  List<Part> read(long batchId, int aboveNumber, int limit, long maxBytes);

  /**
   * As the other method, but each replay is in the place of the part that it replays, under the
   * number of that part: so each part that the run was split into is there once.
   */
  List<Part> readPlaces(long batchId, int aboveNumber, int limit, long maxBytes);

  /** Puts a replay in the place of a part, if that is stored. */
  void replace(PartKey place, int replay);

  /** Records how parts ended, each with its result; those that are not stored yet are stored. */
  void end(List<Part> parts);

  /** Deletes up to so many parts of a batch, and returns how many there were. */
  int delete(long batchId, int limit);

  /** Ids above this one of batches that have parts here, in order. */
  List<Long> batches(long aboveId, int limit);
}
