/** The versions of a job that its audit tells of. */

import { DEFINITION } from './job-values.js';

const DEFINES = ['submitJob', 'replaceJob'];
const RETRY = { maxRetries: 3, firstDelay: 'PT1S', maxDelay: 'PT10M', multiplier: 2, jitter: 0.2, nonRetryable: [] };
const MISFIRE = { kind: 'LATEST', window: 'PT1H', cap: 100, afterPause: false };

/** The definition that an entry of the audit has put in force; null if it has put none, or is cut off. */
export function definitionIn({ action, status, detail }) {
  if (!DEFINES.includes(action) || !(Number(status) < 300)) {
    return null;
  }
  try {
    const sent = JSON.parse(detail ?? '');
    return withDefaults(Object.fromEntries(DEFINITION.map((name) => [name, sent[name] ?? undefined])));
  } catch {
    return null;
  }
}

/** Whether the entry changes the definition, so that there must be one in it. */
export const isOfDefinition = ({ action, status }) => DEFINES.includes(action) && Number(status) < 300;

/** With what is the default where nothing was sent, as the tracker shows it. */
export function withDefaults(sent) {
  const schedule = sent.schedule ?? {};
  const isRecurring = Boolean(schedule.cron || schedule.every || schedule.fixedDelay);
  const misfire = { ...MISFIRE, ...sent.misfire };
  const cap = misfire.kind === 'ALL' ? { kind: 'QUEUE', limit: misfire.cap } : { kind: 'SKIP' };
  return {
    ...sent,
    schedule,
    params: sent.params ?? {},
    priority: sent.priority ?? 100,
    retry: { ...RETRY, ...sent.retry },
    on: sent.on ?? [],
    ...(isRecurring ? { misfire, overlap: sent.overlap ?? cap } : {}),
  };
}

/**
 * The entries, newest first, each with its definition and that of the version before, as far as the audit has them.
 *
 * @param isWhole whether there are no entries before these
 */
export function withVersions(entries, isWhole) {
  /** @type {Version[]} */
  const versions = entries.map((entry) => ({ ...entry, definition: definitionIn(entry), before: null, isFirst: false }));
  /** @type {Version | null} */
  let later = null;
  for (const version of versions) {
    if (isOfDefinition(version)) {
      if (later) {
        later.before = version.definition;
      }
      later = version;
    }
  }
  if (later) {
    later.isFirst = isWhole;
  }
  return versions;
}
