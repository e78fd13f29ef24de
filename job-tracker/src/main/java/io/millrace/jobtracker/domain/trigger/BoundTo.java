package io.millrace.jobtracker.domain.trigger;

/**
 * The worker that alone may run a part of a broadcast: a process, since another one of the same
 * node id was not there when the run was split.
 *
 * @param workerId node id of the worker
 * @param process distinguishes processes of one node id
 */
public record BoundTo(String workerId, long process) {}
