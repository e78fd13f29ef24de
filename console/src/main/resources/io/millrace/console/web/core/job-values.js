/** What the form of a job holds, and what is sent of it. */

import { millisOf } from './format.js';
import { t } from './words.js';
import { readParams } from './view.js';

const UNITS = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** What makes up a job, as it is sent and shown. */
export const DEFINITION = [
  'schedule',
  'params',
  'priority',
  'handler',
  'retry',
  'timeout',
  'overlap',
  'misfire',
  'relyOnPrevCycle',
  'shards',
  'broadcast',
  'onWorkerLost',
  'reduce',
  'onPartFailure',
  'within',
  'traceParent',
  'traceState',
  'on',
  'stickTo',
];

/** Whether a job can be changed: it has not ended, and is no one-shot under way. */
export const isLive = ({ state }) => ['ACTIVE', 'PAUSED', 'WAITING'].includes(state);

/** PT1H30M as 1h 30m. */
export function shortSpan(duration) {
  let rest = millisOf(duration);
  if (rest === null) {
    return '';
  }
  const parts = [];
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const count = Math.floor(rest / UNITS[unit]);
    if (count > 0) {
      parts.push(`${count}${unit}`);
      rest -= count * UNITS[unit];
    }
  }
  return parts.join(' ') || '0s';
}

/** 1h 30m as PT5400S; ISO-8601 is taken as it is. */
function readSpan(text) {
  if (/^P/i.test(text)) {
    return text.toUpperCase();
  }
  if (!/^(\d+(\.\d+)?\s*(ms|s|min|m|h|d)\s*)+$/.test(text)) {
    throw new Error(t('submit.bad-span', { text }));
  }
  let millis = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)/g)) {
    millis += Number(count) * UNITS[unit];
  }
  return `PT${millis / 1_000}S`;
}

/** The schedule that the form holds, under the API's names. */
export function scheduleOf(values) {
  const { kind, cron: expression, zone, every, fixedDelay, after, at, until, times } = values;
  switch (kind) {
    case 'cron':
      return { cron: expression, zone, at, until };
    case 'every':
    case 'fixedDelay': {
      const length = kind === 'every' ? every : fixedDelay;
      return {
        [kind]: length && readSpan(length),
        at,
        until,
        times: times && Number(times),
      };
    }
    case 'at':
      return { at };
    case 'after':
      return { after: after && readSpan(after) };
    default:
      return {};
  }
}

/** The job of a new form. */
export function newJob(values) {
  const retry = retryOf(values, {});
  return {
    schedule: scheduleOf(values),
    handler: values.handler,
    on: labelsOf(values),
    params: readParams(values.params ?? ''),
    priority: values.priority === undefined ? undefined : Number(values.priority),
    retry: Object.keys(retry).length > 0 ? retry : undefined,
    timeout: values.timeout && readSpan(values.timeout),
    overlap: overlapOf(values),
    misfire: misfireOf(values),
    shards: values.shards === undefined ? undefined : Number(values.shards),
    broadcast: values.broadcast ? true : undefined,
    onWorkerLost: values.broadcast && values.onWorkerLost,
    reduce: values.reduce,
    onPartFailure: values.onPartFailure,
    within: values.within && readSpan(values.within),
  };
}

/**
 * The job as it was, with what was changed in the form: a field that holds what it began with is not read, so that the job's own
 * value goes back as it came, to the millisecond and the last blank.
 *
 * @param began what the form held at first
 */
export function editedJob(values, began, before) {
  /** @type {(...names: string[]) => boolean} */
  const isChanged = (...names) => names.some((name) => values[name] !== began[name]);
  /** @type {(names: string[], read: () => unknown, kept: unknown) => unknown} */
  const unless = (names, read, kept) => (isChanged(...names) ? read() : kept);
  const schedule = editedSchedule(values, began, before.schedule);
  const isRecurring = Boolean(schedule.cron || schedule.every || schedule.fixedDelay);
  return {
    ...Object.fromEntries(DEFINITION.map((name) => [name, before[name]])),
    schedule,
    handler: unless(['handler'], () => values.handler, before.handler),
    on: unless(['on'], () => labelsOf(values), before.on),
    params: unless(['params'], () => readParams(values.params ?? ''), before.params),
    priority: unless(['priority'], () => values.priority && Number(values.priority), before.priority),
    retry: unless(['maxRetries', 'firstDelay'], () => editedRetry(values, began, before.retry), before.retry),
    timeout: unless(['timeout'], () => values.timeout && readSpan(values.timeout), before.timeout),
    shards: unless(['shards'], () => values.shards && Number(values.shards), before.shards),
    broadcast: unless(['broadcast'], () => Boolean(values.broadcast), before.broadcast),
    onWorkerLost: unless(
      ['broadcast', 'onWorkerLost'],
      () => (values.broadcast ? values.onWorkerLost : undefined),
      before.onWorkerLost,
    ),
    reduce: unless(['reduce'], () => values.reduce, before.reduce),
    onPartFailure: unless(['onPartFailure'], () => values.onPartFailure, before.onPartFailure),
    within: unless(['within'], () => values.within && readSpan(values.within), before.within),
    ...(isRecurring
      ? {
          overlap: unless(['overlap', 'overlapLimit'], () => overlapOf(values), before.overlap),
          misfire: unless(['misfire'], () => misfireOf(values), before.misfire),
        }
      : { overlap: undefined, misfire: undefined, relyOnPrevCycle: undefined }),
  };
}

function editedRetry(values, began, before) {
  const { maxRetries, firstDelay, ...rest } = before;
  return {
    ...rest,
    ...(values.maxRetries === began.maxRetries ? { maxRetries } : {}),
    ...(values.firstDelay === began.firstDelay ? { firstDelay } : {}),
    ...retryOf(
      {
        maxRetries: values.maxRetries === began.maxRetries ? undefined : values.maxRetries,
        firstDelay: values.firstDelay === began.firstDelay ? undefined : values.firstDelay,
      },
      {},
    ),
  };
}

const OF_SCHEDULE = ['kind', 'cron', 'zone', 'every', 'fixedDelay', 'after', 'at', 'until', 'times'];

/** Whether the form holds the schedule that it began with. */
export const hasSameSchedule = (values, began) => OF_SCHEDULE.every((name) => values[name] === began[name]);

function editedSchedule(values, began, before) {
  if (hasSameSchedule(values, began)) {
    return before;
  }
  const schedule = scheduleOf(values);
  for (const name of ['at', 'until', 'every', 'fixedDelay']) {
    if (schedule[name] !== undefined && values[name] === began[name] && before[name] !== undefined) {
      schedule[name] = before[name];
    }
  }
  return schedule;
}

function retryOf(values, before) {
  return {
    ...before,
    ...(values.maxRetries === undefined ? {} : { maxRetries: Number(values.maxRetries) }),
    ...(values.firstDelay === undefined ? {} : { firstDelay: readSpan(values.firstDelay) }),
  };
}

function overlapOf({ overlap: kind, overlapLimit }) {
  return kind && { kind, limit: kind === 'QUEUE' ? Number(overlapLimit ?? 10) : undefined };
}

const labelsOf = ({ on }) => on && on.split(/[\s,]+/).filter((label) => label);

const misfireOf = ({ misfire: kind }) => kind && { kind };
