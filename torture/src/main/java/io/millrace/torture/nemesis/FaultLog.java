package io.millrace.torture.nemesis;

import java.util.ArrayList;
import java.util.List;

/** What was done to a run so far. Thread-safe. */
public final class FaultLog {
  private final List<Fault> faults = new ArrayList<>();

  /** Notes a fault that was healed. */
  public synchronized void add(Fault fault) {
    faults.add(fault);
  }

  /** All of them, in the order in which they were healed. */
  public synchronized List<Fault> faults() {
    return List.copyOf(faults);
  }
}
