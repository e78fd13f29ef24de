package io.millrace.jobtracker.store.batch;

import io.millrace.jobtracker.domain.batch.Part;
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

  /** Records how parts ended, each with its result; those that are not stored yet are stored. */
  void end(List<Part> parts);

  /** Deletes up to so many parts of a batch, and returns how many there were. */
  int delete(long batchId, int limit);

  /** Ids above this one of batches that have parts here, in order. */
  List<Long> batches(long aboveId, int limit);
}
