package io.millrace.torture.load;

import java.util.Map;

/**
 * What a part does that a handler has made.
 *
 * @param behaviour what its own handler does
 * @param maps how many parts its handler makes, and one more for each attempt; -1 if it makes none
 */
public record MapPart(Behaviour behaviour, int maps) {
  private static final int NESTS = 5;
  private static final int FAILS = 7;
  private static final int DIES = 11;
  private static final int CHARGES = 8;
  private static final int THROWS = 4;

  /**
   * Returns what a part of this number does. Every fifth makes parts itself; of a run that fails,
   * every seventh fails and every eleventh dies.
   *
   * @param ofRun what the handler of the run does
   * @param isNested whether a part has made it
   */
  public static MapPart of(Behaviour ofRun, int number, boolean isNested) {
    if (ofRun == Behaviour.FAIL && !isNested && number % FAILS == 0) {
      return new MapPart(Behaviour.FAIL, -1);
    }
    if (ofRun == Behaviour.FAIL && !isNested && number % DIES == 0) {
      return new MapPart(Behaviour.THROW_ALWAYS, -1);
    }
    if (number % NESTS == 0 && !isNested) {
      return new MapPart(Behaviour.THROW_ONCE, number % THROWS);
    }
    if (number % CHARGES == CHARGES - 1) {
      return new MapPart(Behaviour.CHARGE_ONCE, -1);
    }
    return new MapPart(number % THROWS == 1 ? Behaviour.THROW_ONCE : Behaviour.SUCCEED, -1);
  }

  Map<String, String> params() {
    return maps < 0
        ? Map.of(LoadJob.BEHAVIOUR, behaviour.name())
        : Map.of(LoadJob.BEHAVIOUR, behaviour.name(), LoadJob.MAPS, String.valueOf(maps));
  }
}
