package io.millrace.torture.nemesis;

import java.util.ArrayList;
import java.util.List;

/** The faults of a run so far. Thread-safe. */
public final class FaultLog {
  private final List<Fault> faults = new ArrayList<>();

  /** Records a healed fault. */
  public synchronized void add(Fault fault) {
    faults.add(fault);
  }

  /** Returns all faults, in the order in which they were healed. */
  public synchronized List<Fault> faults() {
    return List.copyOf(faults);
  }
}
