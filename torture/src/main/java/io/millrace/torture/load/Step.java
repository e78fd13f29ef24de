package io.millrace.torture.load;

import io.millrace.common.model.Job;
import java.time.Duration;

/**
 * One thing that a client does.
 *
 * @param number its place in the plan, from 0
 * @param at when it is done, counted from the begin of the run
 * @param job what is submitted
 */
public record Step(int number, Duration at, Job job) {}
