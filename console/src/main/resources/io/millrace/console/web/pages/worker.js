import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, path, withQuery } from '../core/api.js';
import { away, instant, number } from '../core/format.js';
import { visible } from '../core/names.js';
import { t } from '../core/words.js';
import { emptyNotice, facts, groupLink, jobLink, link, linkWith, section, table } from '../core/view.js';
import { progressColumn, stopMark } from './running.js';
import { countOf, drainButton, slotsMeter, workerState } from './workers.js';

export const worker = {
  title: ({ params }) => visible(params.worker),
  question: 'worker.question',
  every: 3_000,
  rows: { executing: (one) => one.id },
  load: ({ params, query: { group } }) => get(withQuery(path`/workers/${params.worker}`, { group })),
  view,
};

function view(page) {
  const { worker: row, executing, more } = page.data;
  return html`
    <section class="card">
      <header>
        <p class="words">${workerState(row)}</p>
        ${page.may('OPERATE', row.group) ? html`<div class="actions">${drainButton(page, row)}</div>` : nothing}
      </header>
      ${row.draining ? html`<p class="hint">${t('worker.draining')}</p>` : nothing} ${factsOf(row)}
    </section>
    ${section(t('worker.executing'), executingTable(row, executing, more), links(row))}
  `;
}

function factsOf(row) {
  return facts([
    [t('col.group'), groupLink(row.group)],
    [t('workers.slots'), slotsMeter(row, row.id)],
    [t('workers.prefetched'), countOf(row.prefetched)],
    [t('workers.held'), number(row.held)],
    [t('job.labels'), row.labels.length > 0 ? row.labels.join(' ') : null],
    [t('col.address'), row.address],
    [t('workers.software'), row.software],
    [t('workers.since'), instant(row.connectedSince)],
    [t('workers.last-pull'), html`${instant(row.lastPull)} <small>${away(row.lastPull)}</small>`],
    [t('workers.tracker'), String(row.tracker)],
  ]);
}

function links({ id }) {
  return html`<span class="actions">
    <a href=${linkWith('/running', { worker: id })}>${t('worker.see-running')}</a>
    <a href=${linkWith('/timeline', { worker: id })}>${t('timeline.title')}</a>
    <a href=${linkWith('/history', { worker: id })}>${t('worker.see-history')}</a>
  </span>`;
}

function executingTable(row, executing, more) {
  if (executing.length === 0) {
    return emptyNotice(t(row.connected ? 'worker.idle' : 'worker.gone'));
  }
  return html`${table({
    caption: t('worker.executing'),
    rows: executing,
    key: (one) => one.id,
    columns: [
      {
        name: t('col.task'),
        cell: (one) => html`${jobLink({ nodeGroup: row.group, taskId: one.taskId })} ${stopMark(one)}`,
      },
      { name: t('col.planned'), cell: (one) => instant(one.plannedFor) },
      { name: t('col.attempt'), kind: 'number', cell: (one) => number(one.attempt) },
      {
        name: t('col.claimed'),
        cell: (one) => html`${instant(one.claimedAt)} <small>${away(one.claimedAt)}</small>`,
      },
      { name: t('col.handler'), cell: (one) => one.handler ?? '–' },
      progressColumn(),
      { name: t('col.execution'), kind: 'actions', cell: executionLink },
    ],
  })}
  ${more ? html`<p class="hint">${t('worker.more')}</p>` : nothing}`;
}

function executionLink(one) {
  return html`<a
    href=${link`/executions/${one.id}`}
    aria-label=${t('running.details.label', { task: one.taskId })}
    >${t('running.details')}</a
  >`;
}
