/** The tracker's clock, as far as its answers tell it: the browser's own may be minutes off. */

/** A difference below this is not worth a warning. */
const WORTH_A_WARNING_MILLIS = 5_000;

/** How far two clocks may drift apart between two answers without either having been set. */
const DRIFT_MILLIS = 50;

let known = null;

/** The time by the tracker's clock, in epoch milliseconds; by the browser's before the first answer. */
export function now() {
  return Date.now() + (known?.ahead ?? 0);
}

/** The same as text. */
export const nowText = () => new Date(now()).toISOString();

/** Milliseconds that the browser's clock is ahead of the tracker's, negative if behind; 0 if they nearly agree. */
export function browserAhead() {
  const ahead = -(known?.ahead ?? 0);
  return Math.abs(ahead) < WORTH_A_WARNING_MILLIS + (known?.roundTrip ?? 0) ? 0 : ahead;
}

/**
 * Learns from an answer. The fastest one tells the time best; it counts until an answer contradicts it, because one of the
 * clocks was set.
 *
 * @param at by the tracker's clock; the other two by the browser's
 */
export function learn(at, asked, answered) {
  const roundTrip = answered - asked;
  if (!Number.isFinite(at) || roundTrip < 0) {
    return;
  }
  if (known === null || roundTrip <= known.roundTrip || isContradicted(known, at, asked, answered)) {
    known = { ahead: at - (asked + answered) / 2, roundTrip };
  }
}

function isContradicted({ ahead }, at, asked, answered) {
  return at < asked + ahead - DRIFT_MILLIS || at > answered + ahead + DRIFT_MILLIS;
}
