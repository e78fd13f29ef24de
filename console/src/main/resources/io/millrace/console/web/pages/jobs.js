import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { firstFound, getTexts } from '../core/api.js';
import { askAboutMany, cancelJob, changeMany, pauseJob, resumeJob, runJob } from '../core/actions.js';
import { allButton, changeAll } from '../core/bulk-changes.js';
import { away, instant } from '../core/format.js';
import { RUNS, runColumns } from '../core/runs.js';
import { kept, searchForm, textField } from '../core/search.js';
import { chosenOf, selectColumn, selectionBar } from '../core/select.js';
import { total } from '../core/total.js';
import { t, word } from '../core/words.js';
import { badge, button, choice, emptyNotice, field, groupLink, jobLink, paging, table } from '../core/view.js';

const PAGE = 50;
const NEXT_FIRE = 'NEXT_FIRE';
const STATES = ['ACTIVE', 'PAUSED', 'FINISHED', 'CANCELLED'];

/** What can be done to all that match: as the API calls it, and to jobs in which states. */
const CHANGES = {
  pause: { action: 'PAUSE_JOBS', states: ['ACTIVE'] },
  resume: { action: 'RESUME_JOBS', states: ['PAUSED'] },
  cancel: { action: 'CANCEL_JOBS', states: ['ACTIVE', 'PAUSED'] },
};

export const jobs = {
  title: 'jobs.title',
  question: 'jobs.question',
  groupIn: 'group',
  /** Much is examined for a far search, and for the next fire times of all jobs. */
  every: ({ data, query }) => (data?.isFarSearch || query.order === NEXT_FIRE ? 60_000 : 10_000),
  rows: { items: (job) => keyOf(job) },
  load,
  form: (page) => searchForm(page, searchFields(page.query)),
  view,
};

/**
 * A first visit shows the jobs before their last runs, which take longer to read. A request looks at some thousand jobs; where none of
 * them fits, the search goes on until one does or there are no more.
 */
async function load(page) {
  const isBegun = page.data === null;
  const found = await firstFound((after) => look(page, after, isBegun ? 0 : RUNS), page.query.after, () => page.isCurrent);
  return { ...found, isBegun: isBegun && found.items.length > 0 };
}

const look = ({ query }, after, runs) =>
  getTexts('/jobs', { ...query, after, limit: PAGE, runs });

const keyOf = (job) => `${job.nodeGroup}/${job.taskId}`;

function view(page) {
  const { items, next } = page.data;
  return html`
    ${total(page, '/jobs/count', { ...page.query, after: '', order: '' })}
    ${items.length === 0 ? none(page) : html`${page.may('OPERATE', page.query.group) ? allActions(page) : nothing} ${list(page, items)} ${manyActions(page, items)}`}
    ${paging(page, next)}
  `;
}

function searchFields(query) {
  return html`
    ${textField(query, 'contains', t('jobs.contains'))} ${textField(query, 'group', t('col.group'))}
    ${textField(query, 'handler', t('col.handler'))} ${textField(query, 'owner', t('job.declared-by'))}
    ${field(
      'state',
      t('col.state'),
      choice('state', query.state ?? '', [['', t('filter.any')], ...STATES.map((state) => [state, word('state', state)])]),
    )}
    ${kept(query, 'order')}
  `;
}

function none(page) {
  return emptyNotice(
    Object.keys(page.query).length > 0
      ? t('jobs.none-found')
      : html`${t('jobs.none')}
          ${page.maySome('OPERATE')
            ? html`<p><a class="button main" href="#/submit">${t('submit.title')}</a></p>`
            : nothing}`,
  );
}

function list(page, items) {
  /** @type {Column<Job>[]} */
  const columns = [
    { name: t('col.task'), sorted: { page, up: '', down: 'NAME_DESCENDING' }, cell: jobLink },
    { name: t('col.group'), cell: (job) => groupLink(job.nodeGroup) },
    {
      name: t('col.state'),
      cell: (job) => html`${badge('state', job.state)} ${job.pause?.reason ? html`<small>${job.pause.reason}</small>` : nothing}`,
    },
    { name: t('col.schedule'), cell: (job) => job.scheduleInWords },
    {
      name: t('col.next'),
      sorted: { page, up: NEXT_FIRE },
      kind: 'next',
      cell: (job) => (job.nextFireAt ? html`${instant(job.nextFireAt, { millis: false })} <small>${away(job.nextFireAt)}</small>` : '–'),
    },
    ...runColumns(),
    { name: t('col.handler'), kind: 'lesser', cell: (job) => job.handler ?? '–' },
    { name: t('job.declared-by'), kind: 'lesser', cell: (job) => job.owner ?? '–' },
  ];
  if (page.maySome('OPERATE')) {
    columns.unshift(selectColumn(page, items, keyOf, { idOf: keyOf, mayBeChosen: (job) => page.may('OPERATE', job.nodeGroup) }));
    columns.push({ name: t('col.actions'), kind: 'actions', cell: (job) => actions(page, job) });
  }
  return table({ caption: t('jobs.title'), rows: items, columns, key: keyOf });
}

function allActions(page) {
  return html`<div class="actions">
    ${Object.keys(CHANGES).map((what) =>
      allButton(page, t(`${what}.all`), () => changeMatching(page, what), what === 'cancel' ? 'danger' : ''),
    )}
  </div>`;
}

function changeMatching(page, what) {
  const { action, states } = CHANGES[what];
  const { group, prefix, contains, handler, owner, state: wanted } = page.query;
  const counts = states.filter((state) => !wanted || state === wanted).map((state) => ['/jobs/count', { group, prefix, contains, handler, owner, state }]);
  return changeAll(page, action, counts, (found) => askAboutMany(what, found));
}

function manyActions(page, items) {
  const chosen = chosenOf(page, items, keyOf);
  const act = (what, tone = '') =>
    button(t(`act.${what}`), () => changeMany(page, what, chosen), {
      tone,
      label: t(`${what}.many.label`),
    });
  return selectionBar(chosen, html`${act('pause')} ${act('resume')} ${act('cancel', 'danger')}`);
}

function actions(page, job) {
  const named = (what) => ({ label: t(`${what}.label`, { task: job.taskId }) });
  const isLive = job.state === 'ACTIVE' || job.state === 'PAUSED';
  return isLive && page.may('OPERATE', job.nodeGroup)
    ? html`<div class="actions">
        ${job.state === 'PAUSED'
          ? button(t('act.resume'), () => resumeJob(page, job), named('resume'))
          : button(t('act.pause'), () => pauseJob(page, job), named('pause'))}
        ${button(t('act.run'), () => runJob(page, job), named('run'))}
        ${button(t('act.cancel'), () => cancelJob(page, job), { ...named('cancel'), tone: 'danger' })}
      </div>`
    : nothing;
}
