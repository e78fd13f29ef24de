package io.millrace.jobtracker.store.batch;

import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.batch.PartState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts whose parameters or results are stored apart from their triggers. */
public interface PartStore {

  /** Inserts parts. */
  void append(List<Part> parts);

  /**
   * The parts of a batch with a number above this one, in order of number, with parameters and
   * results.
   */
  List<Part> read(long batchId, int aboveNumber, int limit);

  /** Records how a part ended, and returns whether it is stored. */
  boolean end(PartKey key, PartState state, @Nullable String result);

  /** Deletes up to so many parts of a batch, and returns how many there were. */
  int delete(long batchId, int limit);

  /** Ids above this one of batches that have parts here, in order. */
  List<Long> batches(long aboveId, int limit);
}
