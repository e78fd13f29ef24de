package io.millrace.jobclient.submit;

import io.millrace.common.protocol.JobSubmission;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way to the disk.
 *
 * @param key of its job
 * @param submission the submit; null means that it is a cancel
 * @param told gets null when the request is on the disk, or why it could not be kept; once, under
 *     no lock
 */
public record ToKeep(
    JobKey key, @Nullable JobSubmission submission, Consumer<@Nullable RuntimeException> told) {}
