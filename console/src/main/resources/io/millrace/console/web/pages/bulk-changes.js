/** The bulk changes that operators have requested: how far they are, and how they have ended. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { firstFound, get, path, post, withQuery } from '../core/api.js';
import { countsOf, isUnderWay, named, searchOf, whyEnded } from '../core/bulk-changes.js';
import { ask } from '../core/dialog.js';
import { instant, number } from '../core/format.js';
import { conditionsOf } from '../core/search.js';
import { t, word } from '../core/words.js';
import { button, details, emptyNotice, link, linkWith, paging, params, table } from '../core/view.js';

const PAGE = 50;
const TONES = { DONE: 'good', STOPPED: 'warn', FAILED: 'bad' };

export const bulkChanges = {
  title: 'bulk-changes.title',
  question: 'bulk-changes.question',
  every: ({ data }) => (data?.items.some(isUnderWay) ? 2_000 : 10_000),
  rows: { items: (row) => row.id },
  load,
  view,
};

/** A token that is limited to node groups may have to look at several pages of all. */
function load(page) {
  return firstFound((after) => get(withQuery('/bulk-changes', { after, limit: PAGE })), page.query.after, () => page.isCurrent);
}

function view(page) {
  const { items, next } = page.data;
  return html`${items.length === 0 ? none() : list(page, items)} ${paging(page, next)}`;
}

function none() {
  const places = [
    ['/jobs', 'jobs.title'],
    ['/running', 'running.title'],
    ['/waiting', 'waiting.title'],
    ['/dead', 'dead.title'],
  ];
  return emptyNotice(html`${t('bulk-changes.none')} ${places.map(([address, title], i) => html`${i > 0 ? ' · ' : nothing}<a href="#${address}">${t(title)}</a>`)}`);
}

function list(page, items) {
  /** @type {Column<Row>[]} */
  const columns = [
    { name: t('audit.at'), cell: (row) => instant(row.requestedAt, { millis: false }) },
    { name: t('audit.operator'), cell: (row) => row.requestedBy },
    { name: t('bulk-changes.what'), cell: whatOf },
    { name: t('bulk-changes.progress'), cell: (row) => html`${progress(row)} ${failures(page, row)}` },
    { name: t('col.state'), cell: stateOf },
    { name: t('col.finished'), cell: ended },
  ];
  if (page.maySome('OPERATE')) {
    columns.push({ name: t('col.actions'), kind: 'actions', cell: (row) => stopButton(page, row) });
  }
  return table({ caption: t('bulk-changes.title'), rows: items, columns, key: (row) => row.id });
}

function whatOf(row) {
  const { action, reason, keepSucceeded } = row;
  return html`${word('bulk-action', action)} ${searchLink(row)} ${reason ? html`<small>${t('bulk-changes.reason', { reason })}</small>` : nothing}
  ${keepSucceeded ? html`<small>${t('dead.replay-rest')}</small>` : nothing} ${row.params ? params(row.params) : nothing}`;
}

function searchLink(row) {
  const { address, query } = searchOf(row);
  return html`<a href=${linkWith(address, query)}>${conditionsIn(query)}</a>`;
}

const conditionsIn = (query) => conditionsOf(query) || t('bulk-changes.all');

function progress(row) {
  const { total, done } = countsOf(row);
  if (total) {
    return html`<progress max=${total} value=${done} aria-label=${named(row.action, t('bulk-changes.progress'))}></progress>
      <span class="id">${t('many.progress.text', { n: done, of: total })}</span>`;
  }
  return isUnderWay(row) ? t('bulk-changes.so-far', { n: done }) : number(done);
}

function failures(page, row) {
  const { id, failures: first } = row;
  const { failed } = countsOf(row);
  return failed === 0
    ? nothing
    : details(
        page,
        id,
        t('bulk.failed', { n: failed }),
        html`<ul>
          ${first.map((one) => html`<li><a href=${addressOf(row, one)}>${one.name}</a>: ${one.why}</li>`)}
          ${failed > first.length ? html`<li>${t('bulk.more', { n: failed - first.length })}</li>` : nothing}
        </ul>`,
      );
}

/** Where what could not be changed is shown: an execution, a dead trigger or a job. */
function addressOf({ action, filter }, { id, nodeGroup = filter.nodeGroup, taskId }) {
  if (id) {
    return action === 'TERMINATE_EXECUTIONS' ? link`/executions/${id}` : link`/dead/${id}`;
  }
  return link`/jobs/${nodeGroup ?? ''}/${taskId ?? ''}`;
}

const stateOf = (row) =>
  isUnderWay(row)
    ? html`<span class="badge" data-tone="busy">${t('bulk.goes-on')}</span>`
    : html`<span class="badge" data-tone=${TONES[row.state]}>${word('bulk-state', row.state)}</span>`;

const ended = ({ state, endedAt, endReason }) =>
  html`${instant(endedAt, { millis: false })} ${endReason ? html`<small>${whyEnded(state, endReason)}</small>` : nothing}`;

function stopButton(page, row) {
  return isUnderWay(row) && page.may('OPERATE', row.filter.nodeGroup)
    ? html`<div class="actions">${button(t('bulk-changes.stop'), () => stop(page, row), { tone: 'danger', label: t('bulk-changes.stop.label', { what: nameOf(row) }) })}</div>`
    : nothing;
}

const nameOf = (row) => named(row.action, conditionsIn(searchOf(row).query));

async function stop(page, row) {
  const yes = await ask({
    title: t('bulk-changes.stop.title'),
    about: nameOf(row),
    text: t('bulk-changes.stop.text'),
    yes: t('bulk-changes.stop'),
    danger: true,
  });
  if (yes) {
    await page.act(() => post(path`/bulk-changes/${row.id}/stop`), t('bulk-changes.stop.done'));
  }
}
