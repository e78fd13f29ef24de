/**
 * A small cluster that goes through its whole life again and again, each time with one fault: at
 * one commit or at one reply. What must hold then is asked of the ledger.
 */
@NullMarked
package io.millrace.jobtracker.faults;

import org.jspecify.annotations.NullMarked;
