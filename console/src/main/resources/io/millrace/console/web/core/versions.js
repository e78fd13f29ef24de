/** The versions of a job, and those that its audit tells of. */

import { differences } from './difference.js';
import { DEFINITION } from './job-values.js';

const DEFINES = ['submitJob', 'replaceJob'];
const CANCELS = ['cancelJob', 'deleteJob'];
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
const isOfDefinition = ({ action, status }) => DEFINES.includes(action) && Number(status) < 300;

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

/** Within how many milliseconds what an operator asked for was stored: the answer is not waited for longer. */
const STORED_WITHIN = 60_000;

/** Whether the entry asked for this version, or for this cancel. */
function asksFor({ operator, action, status, at }, { source, by, at: storedAt, definition }) {
  const took = Date.parse(storedAt) - Date.parse(at);
  return (
    source === 'OPERATOR' &&
    by === operator &&
    Number(status) < 300 &&
    (definition ? DEFINES : CANCELS).includes(action) &&
    took >= 0 &&
    took < STORED_WITHIN
  );
}

/** An entry together with the version that it asked for; that is no longer among the others then. */
function withVersion(entry, left) {
  const index = left.findIndex((version) => asksFor(entry, version));
  const [version] = index < 0 ? [] : left.splice(index, 1);
  return version
    ? { ...entry, ...ofVersion(version), entry: entry.id }
    : { ...entry, entry: entry.id, definition: definitionIn(entry), defines: isOfDefinition(entry) };
}

const ofVersion = (version) => ({ ...version, definition: version.definition ?? null, defines: Boolean(version.definition) });

/**
 * The versions of a job and what else operators did of it, as the audit tells, as one list, newest first; each version with the definition
 * before it. What an operator stored, both have, and the list once.
 *
 * @param isWhole whether there is nothing before these
 */
export function changesOf(versions, entries, isWhole) {
  const left = [...versions];
  const asked = entries.map((entry) => withVersion(entry, left));
  const all = [...asked, ...left.map(ofVersion)].sort(
    (one, other) => Date.parse(other.at) - Date.parse(one.at) || (other.version ?? 0) - (one.version ?? 0),
  );
  const rows = all.filter((row, index) => !isKnownBetter(row, all.slice(index + 1).find(({ defines }) => defines)));
  const defining = rows.filter(({ defines }) => defines);
  return rows.map((row) => {
    const place = defining.indexOf(row);
    const before = place < 0 ? undefined : defining[place + 1];
    return {
      ...row,
      id: row.version ? `v${row.version}` : `e${row.entry}`,
      before: before?.definition ?? null,
      isFirst: place >= 0 && !before && isWhole,
      paramsLeftOut: Boolean(row.paramsLeftOut || before?.paramsLeftOut),
      isPartial: Boolean(row.paramsLeftOut),
    };
  });
}

/** An unrecorded version of which the audit says who stored it. */
const isKnownBetter = (row, before) =>
  row.source === 'UNRECORDED' && before?.entry && before.definition && row.definition
    ? differences(before.definition, row.definition).length === 0
    : false;

/**
 * The newest of the changes of which none is missing between them and the next page, and where that begins.
 *
 * @param ends for versions and entries each the oldest that was read, if there are more
 */
export function pageOf(rows, { versions, entries }, most) {
  const horizon = Math.max(...[versions, entries].map((oldest) => (oldest ? Date.parse(oldest.at) : -Infinity)));
  const shown = rows.filter(({ at }) => Date.parse(at) > horizon).slice(0, most);
  return { shown, isLast: shown.length === rows.length };
}
