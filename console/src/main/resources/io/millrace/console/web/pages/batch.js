import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { cancelJob } from '../core/actions.js';
import { get, getTexts, path, post, withQuery } from '../core/api.js';
import { now } from '../core/clock.js';
import { replayOne } from '../core/dead-rows.js';
import { ask } from '../core/dialog.js';
import { between, instant } from '../core/format.js';
import { endedOf, partsBar, partsLegend, partTime, PART_STATES } from '../core/parts.js';
import { kept, searchForm, textField } from '../core/search.js';
import {
  badge,
  button,
  choice,
  emptyNotice,
  facts,
  field,
  groupLink,
  jobLink,
  link,
  oldestFirst,
  paging,
  section,
  table,
  workerLink,
} from '../core/view.js';
import { t, word } from '../core/words.js';
import { whatWasSaid } from './history.js';
import { progressOf } from './running.js';

const PAGE = 50;
const STATE_TONES = { OPEN: 'busy', STOPPING: 'warn', STAGED: 'calm', ENDED: 'calm' };
const PART_TONES = { RUNNING: 'busy', SUCCEEDED: 'good', FAILED: 'bad', DEAD: 'bad', CANCELLED: 'warn', SKIPPED: 'warn' };

/** The runs under way that were split. */
export const batches = {
  title: 'batches.title',
  question: 'batches.question',
  groupIn: 'group',
  every: 5_000,
  rows: { items: (row) => row.id },
  load: ({ query: { group, order, after } }) => get(withQuery('/batches', { group, order, after, limit: PAGE })),
  form: (page) => searchForm(page, html`${textField(page.query, 'group', t('col.group'))} ${kept(page.query, 'order')}`),
  view: (page) => html`${batchList(page, page.data.items)} ${paging(page, page.data.next)}`,
};

function batchList(page, items) {
  return table({
    caption: t('batches.title'),
    rows: items,
    key: (row) => row.id,
    empty: t(page.query.group ? 'batches.none-found' : 'batches.none'),
    columns: [
      { name: t('col.task'), cell: ({ nodeGroup, job }) => jobLink({ nodeGroup, taskId: job }) },
      { name: t('col.group'), cell: (row) => groupLink(row.nodeGroup) },
      { name: t('col.state'), cell: stateOf },
      { name: t('batch.parts'), kind: 'time', cell: ({ parts }) => html`${partsBar(parts)} ${endedOf(parts)}` },
      { name: t('batch.kind'), kind: 'lesser', cell: ({ kind }) => (kind ? word('batch-kind', kind) : '–') },
      { name: t('batch.split-at'), sorted: oldestFirst(page), cell: (row) => instant(row.splitAt) },
      { name: t('batch.deadline'), kind: 'lesser', cell: (row) => (row.deadline ? instant(row.deadline) : '–') },
      { name: t('col.actions'), kind: 'actions', cell: (row) => rowActions(page, row) },
    ],
  });
}

function rowActions(page, row) {
  return html`<div class="actions">
    <a class="button" href=${link`/batches/${row.id}`} aria-label=${t('batches.details.label', { task: row.job })}>${t('running.details')}</a>
    ${terminateButton(page, row, t('batches.terminate.label', { task: row.job }))}
  </div>`;
}

/** A run that stops ends by itself only if its parts do; if it is terminated, they are interrupted. */
const mayBeTerminated = ({ state, terminatedBy }) => state === 'OPEN' || (state === 'STOPPING' && !terminatedBy);

const terminateButton = (page, row, label) =>
  mayBeTerminated(row) && page.may('OPERATE', row.nodeGroup) ? button(t('act.terminate'), () => terminate(page, row), { tone: 'danger', label }) : nothing;

/** A run that was split into parts. */
export const batch = {
  title: ({ data }) => (data === null ? t('batch.title') : t('batch.title-of', { task: data.detail.job })),
  question: 'batch.question',
  every: 2_000,
  rows: { 'parts.items': (row) => row.number },
  load,
  view,
};

async function load({ params: { id }, query: { state, order, after } }) {
  const [detail, parts] = await Promise.all([
    getTexts(path`/batches/${id}`),
    getTexts(path`/batches/${id}/parts`, { state, order, after, limit: PAGE }),
  ]);
  return { detail, parts };
}

function view(page) {
  const { detail, parts } = page.data;
  return html`
    <section class="card">
      <header>
        <p class="words">${stateOf(detail)} ${endedOf(detail.parts)}${detail.isCut ? t('batch.at-least') : nothing}</p>
        ${page.may('OPERATE', detail.nodeGroup) && detail.state !== 'ENDED' ? actions(page, detail) : nothing}
      </header>
      ${partsBar(detail.parts)} ${partsLegend(detail.parts, page.address)} ${factsOf(detail)}
    </section>
    ${section(t('batch.parts'), partList(page, detail, parts), filter(page))} ${paging(page, parts.next)}
  `;
}

function stateOf({ state, ended }) {
  return ended
    ? badge('status', ended.status)
    : html`<span class="badge" data-tone=${STATE_TONES[state] ?? 'calm'}>${word('batch-state', state)}</span>`;
}

function actions(page, detail) {
  return html`<div class="actions">
    ${terminateButton(page, detail)}
    ${detail.parent
      ? nothing
      : button(t('batch.cancel-job'), () => cancelJob(page, { nodeGroup: detail.nodeGroup, taskId: detail.job }), {
          tone: 'danger',
        })}
  </div>`;
}

async function terminate(page, { id, nodeGroup: group, job: task }) {
  const yes = await ask({
    title: t('batch.terminate.title', { group, task }),
    text: t('batch.terminate.text'),
    yes: t('act.terminate'),
    danger: true,
  });
  if (yes) {
    await page.act(() => post(path`/batches/${id}/terminate`), t('batch.terminate.done', { group, task }));
  }
}

function factsOf(detail) {
  const { ended } = detail;
  return facts([
    [t('col.task'), jobLink({ nodeGroup: detail.nodeGroup, taskId: detail.job })],
    [t('col.group'), groupLink(detail.nodeGroup)],
    [t('batch.kind'), detail.kind ? word('batch-kind', detail.kind) : null],
    [t('col.planned'), instant(detail.plannedFor)],
    [t('batch.split-at'), instant(detail.splitAt)],
    [t('batch.split-by'), workerLink(detail.workerId, detail.nodeGroup)],
    [t('batch.stop'), detail.stop ? word('batch-stop', detail.stop) : null],
    [t('batch.terminated-by'), detail.terminatedBy],
    [t('batch.deadline'), detail.deadline ? instant(detail.deadline) : null],
    [t('batch.on-part-failure'), detail.onPartFailure ? word('part-failure', detail.onPartFailure) : null],
    [t('batch.reduce'), detail.reduce && detail.reduce !== 'NONE' ? word('reduce', detail.reduce) : null],
    [t('batch.parent'), detail.parent ? html`<a href=${link`/batches/${detail.parent}`}>${detail.parent}</a>` : null],
    [t('col.handler'), detail.handler],
    [t('col.finished'), ended ? instant(ended.finishedAt) : null],
    [t('col.cause'), ended?.cause],
    [t('col.ran-for'), ended ? between(detail.splitAt, ended.finishedAt) : null],
    [
      t('dead.trigger'),
      ended?.status === 'DEAD' ? html`<a href=${link`/dead/${detail.id}`}>${t('dead-trigger.replay')}</a>` : null,
    ],
    [t('batch.id'), ended ? html`<a href=${link`/executions/${detail.id}`}>${detail.id}</a>` : detail.id],
  ]);
}

function filter(page) {
  const states = PART_STATES.map((state) => [state, word('part', state)]);
  return searchForm(
    page,
    html`${field('state', t('col.state'), choice('state', page.query.state ?? '', [['', t('filter.any')], ...states]))} ${kept(page.query, 'order')}`,
  );
}

/** Those that have ended are in the order of their ends. */
const isOfEnded = ({ query: { state } }) => state && state !== 'RUNNING' && state !== 'WAITING';

function partList(page, detail, { items, next }) {
  if (items.length === 0) {
    return emptyNotice(t(next ? 'batch.none-here' : page.query.state ? 'batch.none-found' : 'batch.none'));
  }
  const from = new Date(detail.splitAt ?? NaN).getTime();
  const to = detail.ended ? new Date(detail.ended.finishedAt).getTime() : now();
  const mayReplay = detail.state === 'OPEN' && page.may('OPERATE', detail.nodeGroup) && items.some(isOpenDead);
  return table({
    caption: t('batch.parts'),
    rows: items,
    key: (row) => row.number,
    columns: [
      { name: t('batch.part'), kind: 'number', sorted: isOfEnded(page) ? undefined : { page, up: '', down: 'NUMBER_DESCENDING' }, cell: partNumber },
      {
        name: t('col.state'),
        cell: ({ state }) => html`<span class="badge" data-tone=${PART_TONES[state] ?? 'calm'}>${word('part', state)}</span>`,
      },
      { name: t('batch.time'), kind: 'time', cell: (row) => partTime(row, from, to) },
      { name: t('col.attempt'), kind: 'number', cell: (row) => row.attempt || '–' },
      { name: t('col.due'), cell: (row) => instant(row.dueAt) },
      { name: t('col.claimed'), cell: (row) => instant(row.claimedAt) },
      { name: t('col.finished'), cell: (row) => instant(row.finishedAt) },
      { name: t('col.worker'), cell: (row) => workerLink(row.workerId, detail.nodeGroup) },
      { name: t('col.message'), kind: 'short', cell: said },
      ...(mayReplay ? [{ name: t('col.actions'), kind: 'actions', cell: (row) => replayPart(page, detail, row) }] : []),
    ],
  });
}

/** The number, and what shows the part by itself: its execution, or the batch that it was split into. */
function partNumber({ number: first, lastNumber, execution, isSplit }) {
  const text = lastNumber ? `${first} – ${lastNumber}` : `${first}`;
  if (!execution) {
    return text;
  }
  return html`<a href=${isSplit ? link`/batches/${execution}` : link`/executions/${execution}`}>${text}</a>`;
}

const isOpenDead = ({ state, dead }) => state === 'DEAD' && dead && dead !== 'REPLAYED';

/** A dead part runs again in its place, as long as its run is under way. */
function replayPart(page, { nodeGroup, job }, row) {
  const trigger = { id: row.execution, nodeGroup, taskId: job, recurring: false };
  return isOpenDead(row)
    ? button(t('act.replay'), () => replayOne(page, trigger), { label: t('batch.replay.label', { n: row.number }) })
    : nothing;
}

function said(row) {
  if (row.state !== 'RUNNING') {
    return whatWasSaid(row);
  }
  const text = [row.stopRequested && t('running.stop-requested'), progressOf(row)].filter(Boolean).join(', ');
  return html`<span title=${text}>${text}</span>`;
}
