package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;

/**
 * A trigger assigned to a pull.
 *
 * @param trigger as read from the waiting table
 * @param pull the pull whose slot it takes
 */
record Claim(WaitingTrigger trigger, ParkedPull pull) {}
