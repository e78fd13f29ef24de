package io.millrace.torture.attack;

import java.util.Locale;

/** An attack on a tracker, performed once or at a bounded rate, until a deadline. */
enum Attack {
  /** 12 clients send 20,000 PINGs a second each and read no response. */
  SLOW_READERS,
  /** 150 clients send a frame of 8 MiB without its end. */
  INCOMPLETE_FRAMES,
  /** 300 connections a second send invalid frames. */
  BAD_FRAMES,
  /** 300 hellos a second contain a number that no library parses. */
  HUGE_NUMBERS,
  /** Peers send 200 wrong proofs a second. */
  WRONG_PROOFS,
  /** 3,000 connections send nothing. */
  SILENT_STRANGERS,
  /** Workers of 10,000 node groups report 500 results a second. */
  STRANGE_GROUPS,
  /** One execution logs 20 MB a second. */
  JOB_LOG,
  /** A client submits 10 jobs a second with a MB of parameters each. */
  PARAMETERS,
  /** 130 sign-ins of 4 MiB stop before their end. */
  HALF_SIGN_INS,
  /** 2,000 HTTP connections send nothing. */
  SILENT_BROWSERS,
  /** 600 HTTP connections request the health once and stay open. */
  HEALTH_WATCHERS,
  /** 100 connections use HTTP/2 in cleartext. */
  CLEARTEXT_HTTP2;

  /** Attacks until the deadline; a closed connection is not a failure of the attack. */
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

  /** Returns the title. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the attack with this title. */
  static Attack of(String title) {
    return valueOf(title.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
