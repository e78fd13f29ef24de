package io.millrace.console.api.list;

import io.millrace.jobtracker.store.order.Direction;

/** The order of a list by its names. */
public enum NameOrder {
  NAME(Direction.ASCENDING),
  NAME_DESCENDING(Direction.DESCENDING);

  private final Direction direction;

  NameOrder(Direction direction) {
    this.direction = direction;
  }

  public Direction direction() {
    return direction;
  }
}
