/** Instants, spans of time and numbers, as people read them. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { now } from './clock.js';
import { formatOf, t } from './words.js';
import { atLocal, localOf, onTheClock } from './zone.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function number(value) {
  return formatOf(Intl.NumberFormat).format(Number(value));
}

/** A part of a whole, from 0 to 1. */
export function percent(value) {
  return formatOf(Intl.NumberFormat, { style: 'percent' }).format(value);
}

/** A rate or an average: more digits the smaller it is. */
export function measured(value) {
  return formatOf(Intl.NumberFormat, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(Number(value));
}

/** A count that went no further than a bound. */
export function counted(value, isAtLeast) {
  return isAtLeast ? t('at-least', { n: Number(value) }) : number(value);
}

/** Milliseconds of a duration such as PT1H30M or PT0.02S; null if there is none. */
export function millisOf(duration) {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(duration ?? '');
  if (!match) {
    return null;
  }
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return days * DAY + hours * HOUR + minutes * MINUTE + Math.round(seconds * SECOND);
}

/** A span of time in its one or two largest units. */
export function span(millis) {
  const rest = Math.max(0, Math.round(millis));
  if (rest < SECOND) {
    return t('span.millis', { n: rest });
  }
  if (rest < 10 * SECOND) {
    return t('span.seconds', { n: Math.floor(rest / 100) / 10 });
  }
  if (rest < MINUTE) {
    return t('span.seconds', { n: Math.floor(rest / SECOND) });
  }
  if (rest < HOUR) {
    return two('span.minutes', rest / MINUTE, 'span.seconds', (rest % MINUTE) / SECOND);
  }
  if (rest < DAY) {
    return two('span.hours', rest / HOUR, 'span.minutes', (rest % HOUR) / MINUTE);
  }
  return two('span.days', rest / DAY, 'span.hours', (rest % DAY) / HOUR);
}

function two(unit, large, smallUnit, small) {
  const rest = Math.floor(small);
  const first = t(unit, { n: Math.floor(large) });
  return rest === 0 ? first : `${first} ${t(smallUnit, { n: rest })}`;
}

/** A duration of the API, in words; a dash if there is none. */
export function duration(text) {
  const millis = millisOf(text);
  return millis === null ? '–' : span(millis);
}

const TIME_OF_DAY = { hour: '2-digit', minute: '2-digit', second: '2-digit' };
const DATE = { year: 'numeric', month: 'short', day: 'numeric' };

/** An instant: the time of day by the clocks of the chosen zone, with the date unless it is today's. */
export function instant(text, { millis = true } = {}) {
  if (!text) {
    return '–';
  }
  /** @type {Intl.DateTimeFormatOptions} */
  const options = {
    ...TIME_OF_DAY,
    ...(millis ? { fractionalSecondDigits: 3 } : {}),
    ...(dayOf(text) === dayOf(now()) ? {} : DATE),
  };
  return html`<time datetime=${text} title=${text}>${onTheClock(text, options)}</time>`;
}

const dayOf = (at) => onTheClock(at, { year: 'numeric', month: '2-digit', day: '2-digit' });

/** An instant in one line of text, by the clocks of the chosen zone. */
export function moment(at) {
  return onTheClock(at, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Such as 06:00 or, with seconds, 06:00:00. */
export function timeOfDay(at, { seconds = false } = {}) {
  const { hour, minute, second } = TIME_OF_DAY;
  return onTheClock(at, { hour, minute, ...(seconds ? { second } : {}) });
}

/** How far off an instant is: "in 5 s", "3 min ago". */
export function away(text, from = now()) {
  if (!text) {
    return nothing;
  }
  const millis = new Date(text).getTime() - from;
  return t(millis >= 0 ? 'in-span' : 'span-ago', { span: span(Math.abs(millis)) });
}

/** The time from one instant to another; a dash if one of them is unknown. */
export function between(from, to) {
  return from && to ? span(new Date(to).getTime() - new Date(from).getTime()) : '–';
}

/** An instant by the clocks of the chosen zone, as a field for date and time has it: 16 characters, or 19 with seconds. */
export function fieldOf(text, length = 19) {
  const at = new Date(text ?? NaN).getTime();
  return Number.isNaN(at) ? '' : localOf(at).slice(0, length);
}

/** The instant that a field for date and time holds; undefined if it is empty. */
export function instantOf(local) {
  return local ? new Date(atLocal(local)).toISOString() : undefined;
}

/** JSON with one value a line. The text of each value stays as it is: a number keeps all its digits. */
export function prettyJson(text) {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g) ?? [];
  const opens = (token) => token === '{' || token === '[';
  const closes = (token) => token === '}' || token === ']';
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(depth)}`;
  return tokens
    .map((token, i) => {
      if (opens(token)) {
        depth += 1;
        return closes(tokens[i + 1]) ? token : token + newLine();
      }
      if (closes(token)) {
        depth -= 1;
        return opens(tokens[i - 1]) ? token : newLine() + token;
      }
      return token === ',' ? token + newLine() : token === ':' ? ': ' : token;
    })
    .join('');
}
