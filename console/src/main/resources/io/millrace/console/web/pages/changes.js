/** What operators have changed of a job: who, when, what, and back to a version of it. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, orNull, path, withQuery } from '../core/api.js';
import { differences, differenceTable, told } from '../core/difference.js';
import { instant } from '../core/format.js';
import { isLive } from '../core/job-values.js';
import { isOfDefinition, withVersions } from '../core/versions.js';
import { t, word } from '../core/words.js';
import { facts, link, linkWith, paging, table } from '../core/view.js';
import { judged, whoAsked } from './audit.js';

const PAGE = 50;

export const changes = {
  title: ({ params: { task } }) => t('changes.title', { task }),
  question: 'changes.question',
  every: 0,
  zone: ({ data: { versions } }) => versions.find((row) => row.definition)?.definition?.schedule?.zone,
  load,
  view,
};

/** The versions of the page, and the job as it is now; null if there is none that could be changed. */
async function load({ params: { group, task }, query: { before } }) {
  /** @type {(before?: string) => Promise<Schemas['AuditPage']>} */
  const read = (place) => get(withQuery('/audit', { job: `${group}/${task}`, before: place, limit: PAGE }));
  const [{ items, next }, job] = await Promise.all([read(before), orNull(get(path`/jobs/${group}/${task}`))]);
  // What the oldest version of the page has changed, the next page knows.
  const further = next ? await read(next) : { items: [], next: undefined };
  const versions = withVersions([...items, ...further.items], !further.next).slice(0, items.length);
  return { versions, next, live: job && isLive(job) ? job : null };
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
        { name: t('audit.at'), cell: (row) => instant(row.at) },
        { name: t('audit.operator'), cell: whoAsked },
        { name: t('audit.action'), cell: actionOf },
        { name: t('changes.what'), cell: what },
        { name: t('col.actions'), kind: 'actions', cell: (row) => back(page, row) },
      ],
    })}
    ${paging(page, next, 'before')}
  `;
}

function actionOf({ action, status, outcome }) {
  const [tone, text] = judged(status);
  return html`${word('operation', action)}
  ${Number(status) < 300
    ? nothing
    : html`<span class="badge" data-tone=${tone}>${text}</span> ${outcome ? html`<small>${outcome}</small>` : nothing}`}`;
}

/** What a change has made different: of an edit the fields, of all else what was sent with it. */
function what(row) {
  if (!isOfDefinition(row)) {
    return sent(row.detail);
  }
  if (row.definition === null) {
    return html`<span class="muted">${t('changes.cut')}</span>`;
  }
  if (row.before === null && !row.isFirst) {
    return html`<span class="muted">${t('changes.unknown')}</span>`;
  }
  return html`${row.isFirst ? html`<p class="muted">${t('changes.first')}</p>` : nothing}
  ${differenceTable({
    caption: t('changes.at', { at: row.at }),
    rows: differences(row.before, row.definition),
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

/** Back to what the job is not now: an application may have changed it since, which the audit does not tell. */
function back(page, { id, definition, at }) {
  const { group, task } = page.params;
  const { live } = page.data;
  return definition === null || live === null || differences(live, definition).length === 0 || !page.may('OPERATE', group)
    ? nothing
    : html`<a
        class="button"
        href=${linkWith(`/jobs/${encodeURIComponent(group)}/${encodeURIComponent(task)}/edit`, { version: id })}
        aria-label="${t('changes.back')}: ${at}"
        >${t('changes.back')}</a
      >`;
}
