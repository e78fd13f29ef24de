package io.millrace.common.protocol;

import io.millrace.common.model.RunNowResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the recurring job of this key once more, now, whatever its schedule says, also if it is
 * paused.
 *
 * @param submissionId minted by the client, the same on every resend; one that is known already is
 *     answered from the record and runs nothing
 * @param params in the place of the job's own; null means those of the job
 */
public record RunNowRequest(
    String submissionId, String nodeGroup, String taskId, @Nullable Map<String, String> params)
    implements Request<RunNowResult> {}
