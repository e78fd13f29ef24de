/** What operators have changed of a job: who, when, what, and back to a version of it. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, withQuery } from '../core/api.js';
import { differences, differenceTable, told } from '../core/difference.js';
import { instant } from '../core/format.js';
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

async function load({ params: { group, task }, query: { before } }) {
  const { items, next } = await get(withQuery('/audit', { job: `${group}/${task}`, before, limit: PAGE }));
  return { versions: withVersions(items), next };
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
        { name: t('col.actions'), kind: 'actions', cell: (row) => back(page, row, row === newest(versions)) },
      ],
    })}
    ${paging(page, next, 'before')}
  `;
}

const newest = (versions) => versions.find(isOfDefinition);

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
  return html`${row.before === null ? html`<p class="muted">${t('changes.first')}</p>` : nothing}
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

function back(page, { id, definition, at }, isNewest) {
  const { group, task } = page.params;
  return definition === null || isNewest || !page.may('OPERATE')
    ? nothing
    : html`<a
        class="button"
        href=${linkWith(`/jobs/${encodeURIComponent(group)}/${encodeURIComponent(task)}/edit`, { version: id })}
        aria-label="${t('changes.back')}: ${at}"
        >${t('changes.back')}</a
      >`;
}
