/** The time zone in which times are shown and read: the browser's, UTC, or that of the job that the page is about. */

import { formatOf } from './words.js';

export const ZONE_CHOICES = ['browser', 'utc', 'job'];

const KEPT_AS = 'millrace.zone';
const DAY = 86_400_000;
const QUARTER = 900_000;

let chosen = ZONE_CHOICES.find((name) => name === localStorage.getItem(KEPT_AS)) ?? 'browser';
let ofJob;

export const chosenZone = () => chosen;

export function chooseZone(choice) {
  chosen = choice;
  localStorage.setItem(KEPT_AS, choice);
}

/** Says of which zone the job is that the page is about; undefined if it is about none, or about many. */
export function aboutZone(name) {
  ofJob = name;
}

/** Looked up once: lists show thousands of times. */
export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The name of the zone: that of the browser where the job's is wanted and there is none, or none that the browser knows. */
export const shownZone = () => zoneOn(ofJob);

/** The same on the page of a job of this zone, before it is shown. */
export function zoneOn(zone) {
  if (chosen === 'utc') {
    return 'UTC';
  }
  return chosen === 'job' && isKnown(zone) ? zone : browserZone;
}

function isKnown(name) {
  try {
    return name !== undefined && clockOf(name, {}) !== null;
  } catch {
    return false;
  }
}

/** An instant by the clocks of the zone, in the language of the page. */
export function onTheClock(at, options) {
  return clockOf(shownZone(), options).format(new Date(at));
}

const clockOf = (timeZone, options) => formatOf(Intl.DateTimeFormat, { hourCycle: 'h23', ...options, timeZone });

const FIELDS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' };

let latest = { zone: '', quarter: NaN, ahead: 0 };

/**
 * How far the clocks of the zone are ahead of UTC at an instant, in milliseconds. Both are epoch milliseconds. Clocks change only
 * between quarters of an hour, so that the thousands of lines of a log take a look or two.
 */
export function aheadOfUtc(at) {
  const zone = shownZone();
  const quarter = Math.floor(at / QUARTER);
  if (latest.zone !== zone || latest.quarter !== quarter) {
    latest = { zone, quarter, ahead: aheadIn(zone, quarter * QUARTER) };
  }
  return latest.ahead;
}

function aheadIn(zone, at) {
  /** @type {Record<string, number>} */
  const parts = {};
  for (const { type, value } of clockOf(zone, FIELDS).formatToParts(at)) {
    parts[type] = Number(value);
  }
  const { year, month, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}

/** What the clocks of the zone show, such as 2026-11-29T06:00:00, or as many characters of 2026-11-29T06:00:00.000. */
export function localOf(at, length = 19) {
  return new Date(at + aheadOfUtc(at)).toISOString().slice(0, length);
}

/**
 * When the clocks of the zone show this, such as 2026-11-29T06:00, in epoch milliseconds. What they show twice is the first of
 * both; what they leave out is as long after the change as it would have been without it.
 */
export function atLocal(local) {
  const wall = Date.parse(`${local}Z`);
  const before = aheadOfUtc(wall - DAY);
  const after = aheadOfUtc(wall + DAY);
  const isSo = (ahead) => aheadOfUtc(wall - ahead) === ahead;
  return isSo(before) || !isSo(after) ? wall - before : wall - after;
}
