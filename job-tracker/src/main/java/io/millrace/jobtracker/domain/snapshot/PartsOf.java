package io.millrace.jobtracker.domain.snapshot;

import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import org.jspecify.annotations.Nullable;

/**
 * What a task id of parts stands for: the parts of one batch.
 *
 * @param batchId the batch
 * @param open the run while it is under way; otherwise null
 * @param ended the end of the run; null while it is under way, or once the ledger has forgotten it
 */
public record PartsOf(long batchId, @Nullable SplitRun open, @Nullable LedgerEntry ended) {}
