import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { changeEach } from '../core/bulk.js';
import { allButton, changeAll } from '../core/bulk-changes.js';
import { get, path, post, withQuery } from '../core/api.js';
import { now } from '../core/clock.js';
import { ask } from '../core/dialog.js';
import { instant, millisOf, number, span } from '../core/format.js';
import { endedOf, partsBar } from '../core/parts.js';
import { kept, searchForm, textField } from '../core/search.js';
import { chosenOf, selectColumn, selectionBar } from '../core/select.js';
import { total } from '../core/total.js';
import { t, word } from '../core/words.js';
import {
  button,
  emptyNotice,
  groupLink,
  jobLink,
  link,
  oldestFirst,
  paging,
  table,
  workerLink,
} from '../core/view.js';

const PAGE = 50;

export const running = {
  title: 'running.title',
  question: 'running.question',
  groupIn: 'group',
  every: 2_000,
  rows: { items: (row) => row.id },
  load,
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

async function load({ query }) {
  const { group, task, worker } = query;
  if (task && !group) {
    return { items: [], refusal: 'running.task-needs-group' };
  }
  if (task && worker) {
    return { items: [], refusal: 'running.task-or-worker' };
  }
  return get(withQuery('/executions', { ...searchOf(query), order: query.order, after: query.after, limit: PAGE }));
}

const searchOf = ({ group, task, worker }) => ({ group, task, worker });

function view(page) {
  const { next, refusal } = page.data;
  return html`
    ${refusal ? html`<p class="problem" role="alert">${t(refusal)}</p>` : html`${total(page, '/executions/count', searchOf(page.query))} ${found(page)}`}
    ${paging(page, next)}
  `;
}

function searchFields(query) {
  return html`
    ${textField(query, 'group', t('col.group'))} ${textField(query, 'task', t('col.task'))}
    ${textField(query, 'worker', t('col.worker'))} ${kept(query, 'order')}
  `;
}

function found(page) {
  const { items, next } = page.data;
  if (items.length > 0) {
    return html`${page.may('OPERATE', page.query.group)
        ? html`<div class="actions">${allButton(page, t('running.terminate-all'), () => terminateMatching(page), 'danger')}</div>`
        : nothing}
      ${list(page, items)} ${manyActions(page, items)}`;
  }
  if (next) {
    return emptyNotice(t('running.none-here'));
  }
  return emptyNotice(
    Object.keys(page.query).length > 0
      ? t('running.none-found')
      : html`${t('running.none')} <a href="#/upcoming">${t('running.see-upcoming')}</a>`,
  );
}

function manyActions(page, items) {
  const chosen = chosenOf(page, items);
  return selectionBar(
    chosen,
    button(t('act.terminate'), () => terminateMany(page, chosen), {
      tone: 'danger',
      label: t('running.terminate-many.label'),
    }),
  );
}

function list(page, items) {
  /** @type {Column<Row>[]} */
  const columns = [
    { name: t('col.task'), cell: (row) => html`${jobOf(row)} ${kindMark(row)} ${stopMark(row)}` },
    { name: t('col.group'), cell: (row) => groupLink(row.nodeGroup) },
    { name: t('col.attempt'), kind: 'number', cell: attemptOf },
    { name: t('col.due'), sorted: page.query.task && oldestFirst(page), cell: (row) => instant(row.dueAt) },
    { name: t('col.claimed'), sorted: !page.query.task && oldestFirst(page), cell: (row) => instant(row.claimedAt) },
    { name: t('running.for'), cell: elapsed },
    progressColumn(),
    { name: t('col.worker'), cell: holder },
    { name: t('col.actions'), kind: 'actions', cell: (row) => actions(page, row) },
  ];
  if (page.maySome('OPERATE')) {
    const nameOf = (row) => `${row.nodeGroup}/${row.taskId}`;
    columns.unshift(selectColumn(page, items, nameOf, { mayBeChosen: (row) => page.may('OPERATE', row.nodeGroup) }));
  }
  return table({ caption: t('running.title'), rows: items, columns, key: (row) => row.id });
}

function actions(page, row) {
  return html`<div class="actions">
    <a
      class="button"
      href=${detailsLink(row)}
      aria-label=${t('running.details.label', { task: row.taskId })}
      >${t('running.details')}</a
    >
    ${page.may('OPERATE', row.nodeGroup) ? terminateButton(page, row) : nothing}
  </div>`;
}

export function terminateButton(page, row) {
  return button(t('act.terminate'), () => terminateOne(page, row), {
    tone: 'danger',
    label: t('running.terminate.label', { task: row.taskId }),
  });
}

async function terminateOne(page, row) {
  const yes = await ask({
    title: t('running.terminate.title', { group: row.nodeGroup, task: row.taskId }),
    about: html`${t('col.claimed')} ${instant(row.claimedAt)} · ${t('col.execution')} ${row.id}`,
    text: t('running.terminate.text', { n: 1 }),
    yes: t('act.terminate'),
    danger: true,
  });
  if (yes) {
    await page.act(
      () => post(path`/executions/${row.id}/terminate`),
      t('running.terminate.done', { group: row.nodeGroup, task: row.taskId }),
    );
  }
}

const terminateMatching = (page) =>
  changeAll(page, 'TERMINATE_EXECUTIONS', [['/executions/count', searchOf(page.query)]], askToTerminate);

function askToTerminate({ n, count = number(n), about }) {
  return ask({
    title: t('running.terminate-many.title', { n, count }),
    text: t('running.terminate.text', { n }),
    about,
    yes: t('act.terminate'),
    danger: true,
  });
}

async function terminateMany(page, rows) {
  if (await askToTerminate({ n: rows.length })) {
    changeEach(
      page,
      'terminate',
      rows,
      (row) => post(path`/executions/${row.id}/terminate`).catch(unlessEnded),
      (row) => ({ name: `${row.nodeGroup}/${row.taskId}`, address: detailsLink(row) }),
    );
  }
}

/** What has ended meanwhile is as it was to be. */
function unlessEnded(failure) {
  if (![404, 409].includes(failure.status)) {
    throw failure;
  }
}

export function attemptOf(row) {
  return t('running.attempt', { attempt: row.attempt, max: row.maxAttempts });
}

/** For how long a worker has had it, and how much of its time-out that is. */
export function elapsed(row) {
  const millis = Math.max(0, now() - new Date(row.claimedAt).getTime());
  const limit = millisOf(row.timeout);
  if (limit === null || row.parts) {
    return span(millis);
  }
  return html`${t('running.of', { elapsed: span(millis), limit: span(limit) })}
    <progress
      max=${limit}
      value=${Math.min(millis, limit)}
      aria-label=${t('running.progress', { task: row.taskId })}
    ></progress>`;
}

/** How far an execution has come, as its job says; null if it does not. */
export function progressOf({ progress }) {
  if (!progress) {
    return null;
  }
  const { done, total, message } = progress;
  const count = Number(total) > 0 ? `${number(done)} / ${number(total)}` : number(done);
  return message ? `${count}, ${message}` : count;
}

/** The column of tables of executions under way; a long message is whole for who points at it. */
export function progressColumn() {
  const cell = (row) => {
    if (row.parts) {
      const ended = endedOf(row.parts);
      return html`<span title=${ended}>${partsBar(row.parts)} ${ended}</span>`;
    }
    const text = progressOf(row);
    return text === null ? '–' : html`<span title=${text}>${text}</span>`;
  };
  return { name: t('execution.progress'), kind: 'short', cell };
}

/** Shows whether the execution was asked to stop. */
export function stopMark({ terminatedBy, stopRequested }) {
  if (!terminatedBy && !stopRequested) {
    return nothing;
  }
  return html`<span class="badge" data-tone="warn"
    >${terminatedBy ? t('running.terminated-by', { by: terminatedBy }) : t('running.stop-requested')}</span
  >`;
}

function kindMark({ kind }) {
  return kind === 'EXTRA' ? html`<small>${word('kind', kind)}</small>` : nothing;
}

/** The job; of a part also which one it is, with a link to the others. */
function jobOf(row) {
  const { part, nodeGroup } = row;
  return part
    ? html`${jobLink({ nodeGroup, taskId: part.taskId })}
        <a href=${link`/batches/${part.batch}`}><small>${partName(part)}</small></a>`
    : jobLink(row);
}

/** Such as "part 4 of 8". */
export function partName({ number: n, shards }) {
  return shards ? t('part.of', { n, of: shards }) : t('part.number', { n });
}

/** Where an execution is shown, or a run with its parts. */
export function detailsLink(row) {
  return row.parts ? link`/batches/${row.id}` : link`/executions/${row.id}`;
}

/** The worker that has it; none has a run that was split. */
export function holder(row) {
  return row.parts ? '–' : workerLink(row.workerId, row.nodeGroup);
}
