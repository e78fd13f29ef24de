/** What tells two versions of a job from one another, field by field. */

import { millisOf } from './format.js';
import { DEFINITION } from './job-values.js';
import { t } from './words.js';
import { table } from './view.js';

/**
 * The fields that differ, as { field, was, now } in the order of their names: of what has fields of its own, such as the schedule
 * and the parameters, each for itself.
 *
 * @param more names of further fields, besides those of the definition
 */
export function differences(before, after, more = []) {
  const was = flat(before, more);
  const now = flat(after, more);
  return [...new Set([...was.keys(), ...now.keys()])]
    .filter((field) => measure(field, was.get(field)) !== measure(field, now.get(field)))
    .sort()
    .map((field) => ({ field, was: was.get(field), now: now.get(field) }));
}

/** PT90S is as long as PT1M30S, and an instant is the same with and without its zeros; a parameter is what it is. */
function measure(field, value) {
  if (typeof value !== 'string' || field.startsWith('params.')) {
    return told(value);
  }
  const millis = /^P/.test(value) ? millisOf(value) : /^schedule\.(at|until)$/.test(field) ? Date.parse(value) : null;
  return millis === null || Number.isNaN(millis) ? value : String(millis);
}

function flat(job, more) {
  const fields = new Map();
  for (const name of [...DEFINITION, ...more]) {
    const value = job?.[name];
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      Object.entries(value).forEach(([part, each]) => fields.set(`${name}.${part}`, each));
    } else {
      fields.set(name, value);
    }
  }
  return fields;
}

/** A field of a job that flat() has named. */
export const fieldOf = (job, field, more = []) => flat(job, more).get(field);

/** A value as text: a list as JSON; nothing, and what is the same as nothing, as a dash. */
export function told(value) {
  if (value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0)) {
    return '–';
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * A table of differences.
 *
 * @param names of the columns "was" and "now"
 * @param more further columns
 */
export function differenceTable({ caption, rows, names, empty = '', more = [] }) {
  return table({
    caption,
    rows,
    key: ({ field }) => field,
    empty,
    columns: [
      { name: t('difference.field'), cell: ({ field }) => field },
      { name: names.was, kind: 'value', cell: ({ was }) => told(was) },
      { name: names.now, kind: 'value', cell: ({ now }) => told(now) },
      ...more,
    ],
  });
}
