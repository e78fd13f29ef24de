package io.millrace.torture.attack;

import java.util.Locale;

/** What a peer does to a tracker, once or at a bounded rate, until a deadline. */
enum Attack {
  /** 12 clients send 20,000 PINGs a second each and read no answer. */
  SLOW_READERS,
  /** 150 clients send all of a frame of 8 MiB but its end. */
  INCOMPLETE_FRAMES,
  /** 300 connections a second that send no frame. */
  BAD_FRAMES,
  /** 300 hellos a second with a number that no library reads. */
  HUGE_NUMBERS,
  /** 200 wrong proofs a second. */
  WRONG_PROOFS,
  /** 3,000 connections that say nothing. */
  SILENT_STRANGERS,
  /** Workers of 10,000 node groups report a result, 500 a second. */
  STRANGE_GROUPS,
  /** One execution logs 20 MB a second. */
  JOB_LOG,
  /** A client submits 10 jobs a second with a MB of parameters each. */
  PARAMETERS,
  /** 130 sign-ins of 4 MiB that stop before their end. */
  HALF_SIGN_INS,
  /** 2,000 HTTP connections that say nothing. */
  SILENT_BROWSERS,
  /** 600 HTTP connections that ask how it is, once, and stay. */
  HEALTH_WATCHERS,
  /** 100 connections that speak HTTP/2 in the clear. */
  CLEARTEXT_HTTP2;

  /** Attacks until the deadline; a connection that is cut is no failure of the attack. */
  void run(Target target, Deadline deadline) throws Exception {
    switch (this) {
      case SLOW_READERS -> WireAttacks.slowReaders(target, deadline);
      case INCOMPLETE_FRAMES -> WireAttacks.incompleteFrames(target, deadline);
      case BAD_FRAMES -> WireAttacks.badFrames(target, deadline);
      case HUGE_NUMBERS -> WireAttacks.hugeNumbers(target, deadline);
      case WRONG_PROOFS -> WireAttacks.wrongProofs(target, deadline);
      case SILENT_STRANGERS -> WireAttacks.silentStrangers(target, deadline);
      case STRANGE_GROUPS -> StoreAttacks.strangeGroups(target, deadline);
      case JOB_LOG -> StoreAttacks.jobLog(target, deadline);
      case PARAMETERS -> StoreAttacks.parameters(target, deadline);
      case HALF_SIGN_INS -> HttpAttacks.halfSignIns(target, deadline);
      case SILENT_BROWSERS -> HttpAttacks.silentBrowsers(target, deadline);
      case HEALTH_WATCHERS -> HttpAttacks.healthWatchers(target, deadline);
      case CLEARTEXT_HTTP2 -> HttpAttacks.cleartextHttp2(target, deadline);
    }
  }

  /** Its title. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The attack of this title. */
  static Attack of(String title) {
    return valueOf(title.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
