/** What has changed of a job: who stored which version, what else operators did, and back to a version. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, orNull, path, withQuery } from '../core/api.js';
import { differences, differenceTable, told } from '../core/difference.js';
import { instant } from '../core/format.js';
import { isLive } from '../core/job-values.js';
import { changesOf, pageOf } from '../core/versions.js';
import { t, word } from '../core/words.js';
import { facts, link, linkWith, paging, table } from '../core/view.js';
import { judged, whoAsked } from './audit.js';

/** How many changes a page shows, and how many versions and entries it reads: what an older one was before is known then. */
const PAGE = 50;
const READ = 100;

export const changes = {
  title: ({ params: { task } }) => t('changes.title', { task }),
  question: 'changes.question',
  every: 0,
  zone: ({ data: { versions } }) => versions.find((row) => row.definition)?.definition?.schedule?.zone,
  load,
  view,
};

/** The changes of the page, and the job as it is now; null if there is none that could be changed. */
async function load({ params: { group, task }, query: { before } }) {
  const [beforeVersion, beforeEntry] = (before ?? '').split('.');
  const [stored, audit, job] = await Promise.all([
    orNull(get(withQuery(path`/jobs/${group}/${task}/versions`, { before: beforeVersion, limit: READ }))),
    get(withQuery('/audit', { job: `${group}/${task}`, before: beforeEntry, limit: READ })),
    orNull(get(path`/jobs/${group}/${task}`)),
  ]);
  const isWhole = !stored?.next && !audit.next;
  const rows = changesOf(stored?.items ?? [], audit.items, isWhole);
  const ends = { versions: stored?.next ? stored.items.at(-1) : undefined, entries: audit.next ? audit.items.at(-1) : undefined };
  const { shown, isLast } = pageOf(rows, ends, PAGE);
  const next = isWhole && isLast ? undefined : placeAfter(shown, beforeVersion, beforeEntry);
  return { versions: shown, next, live: job && isLive(job) ? job : null };
}

/** Below which version and entry the next page begins. */
function placeAfter(rows, beforeVersion, beforeEntry) {
  const version = rows.findLast((row) => row.version)?.version ?? beforeVersion;
  const entry = rows.findLast((row) => row.entry)?.entry ?? beforeEntry;
  return `${version ?? ''}.${entry ?? ''}`;
}

function view(page) {
  const { group, task } = page.params;
  const { versions, next } = page.data;
  return html`
    <p><a href=${link`/jobs/${group}/${task}`}>${group}/${task}</a></p>
    ${table({
      caption: t('changes.title', { task }),
      rows: versions,
      key: (row) => row.id,
      empty: t('changes.none'),
      columns: [
        { name: t('audit.at'), cell: when },
        { name: t('changes.who'), cell: who },
        { name: t('audit.action'), cell: actionOf },
        { name: t('changes.what'), cell: what },
        { name: t('col.actions'), kind: 'actions', cell: (row) => back(page, row) },
      ],
    })}
    ${paging(page, next, 'before')}
  `;
}

/** Of a version that was not recorded, it is known when the next one was stored. */
const when = ({ source, at }) => html`${source === 'UNRECORDED' ? t('changes.before') : nothing} ${instant(at)}`;

function who(row) {
  return row.entry
    ? whoAsked(row)
    : html`${row.by} <small>${word('source', row.source)}${row.address ? ` · ${row.address}` : nothing}</small>`;
}

function actionOf({ action, status, outcome, version, defines }) {
  const numbered = version ? t('changes.version', { version }) : '';
  if (!action) {
    return html`${t(defines ? 'changes.stored' : 'changes.cancelled')} <small>${numbered}</small>`;
  }
  const [tone, text] = judged(status);
  return html`${word('operation', action)}
  ${Number(status) < 300
    ? html`<small>${numbered}</small>`
    : html`<span class="badge" data-tone=${tone}>${text}</span> ${outcome ? html`<small>${outcome}</small>` : nothing}`}`;
}

/** What a change has made different: of a version the fields, of all else what was sent with it. */
function what(row) {
  if (!row.defines) {
    return sent(row.detail);
  }
  if (row.definition === null) {
    return html`<span class="muted">${t('changes.cut')}</span>`;
  }
  if (row.before === null && !row.isFirst) {
    return html`<span class="muted">${t('changes.unknown')}</span>`;
  }
  return html`${row.isFirst ? html`<p class="muted">${t('changes.first')}</p>` : nothing}
  ${row.paramsLeftOut ? html`<p class="muted">${t('changes.params')}</p>` : nothing}
  ${differenceTable({
    caption: t('changes.at', { at: row.at }),
    rows: differences(row.before, row.definition).filter(({ field }) => !row.paramsLeftOut || !field.startsWith('params')),
    empty: t('changes.same'),
    names: { was: t('difference.was'), now: t('difference.now') },
  })}`;
}

function sent(detail) {
  try {
    return facts(Object.entries(JSON.parse(detail ?? '') ?? {}).map(([name, value]) => [name, told(value)]));
  } catch {
    return detail || '–';
  }
}

/** Back to what the job is not now. */
function back(page, { entry, version, definition, at, isPartial }) {
  const { group, task } = page.params;
  const { live } = page.data;
  return definition === null || isPartial || live === null || differences(live, definition).length === 0 || !page.may('OPERATE', group)
    ? nothing
    : html`<a
        class="button"
        href=${linkWith(`/jobs/${encodeURIComponent(group)}/${encodeURIComponent(task)}/edit`, version ? { version: String(version) } : { entry })}
        aria-label="${t('changes.back')}: ${at}"
        >${t('changes.back')}</a
      >`;
}
