import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { getTexts, path } from '../core/api.js';
import { discardButton, replayKeeping, replayOne } from '../core/dead-rows.js';
import { tell } from '../core/dialog.js';
import { away, between, instant, number } from '../core/format.js';
import { paramsTable } from '../core/params-table.js';
import { t } from '../core/words.js';
import {
  badge,
  button,
  facts,
  field,
  groupLink,
  jobLink,
  link,
  params,
  readParams,
  section,
  table,
  workerLink,
  writeParams,
} from '../core/view.js';
import { stepsView } from './execution.js';
import { whatWasSaid } from './history.js';

export const deadTrigger = {
  title: ({ data }) =>
    data === null ? t('dead-trigger.title') : t('dead-trigger.title-of', { task: data.trigger.taskId }),
  question: 'dead-trigger.question',
  every: 5_000,
  rows: { attempts: (row) => row.executionId },
  load: ({ params: { id } }) => getTexts(path`/dead/${id}`),
  view,
};

function view(page) {
  const { trigger, attempts, kept } = page.data;
  const mayReplay = page.may('OPERATE', trigger.nodeGroup) && trigger.state !== 'REPLAYED';
  return html`
    ${section(t('dead-trigger.why'), why(page.data), discard(page, trigger))}
    ${trigger.state === 'OPEN' ? nothing : section(t('dead-trigger.settled'), settled(page.data))}
    ${section(t('dead-trigger.attempts', { n: attempts.length }), attemptsTable(trigger, attempts))}
    ${kept ? section(t('execution.steps'), stepsView(kept)) : nothing}
    <div class="columns">
      ${section(t('dead-trigger.facts'), factsOf(page.data))}
      ${section(t('params'), page.data.params ? params(page.data.params) : html`<p>${ofItsJob(trigger)}</p>`)}
    </div>
    ${mayReplay ? section(t('dead-trigger.replay'), replayForm(page)) : nothing}
  `;
}

function discard(page, trigger) {
  return page.may('OPERATE', trigger.nodeGroup) && trigger.state === 'OPEN' ? discardButton(page, trigger) : nothing;
}

/** The reason first: what the last attempt said, in its own words. */
function why({ trigger, message }) {
  return html`
    <p>
      ${badge('dead', trigger.state)}
      <strong>${t('dead-trigger.after', { n: trigger.attempts })}</strong> ${instant(trigger.diedAt)}
      <small>${away(trigger.diedAt)}</small>
    </p>
    ${trigger.cause ? html`<p class="problem">${trigger.cause}</p>` : nothing}
    ${message ? html`<pre tabindex="0">${message}</pre>` : html`<p class="muted">${t('dead-trigger.no-message')}</p>`}
    <p><a href=${link`/executions/${trigger.id}`}>${t('dead-trigger.last-log')}</a></p>
  `;
}

function settled({ trigger, replayStatus }) {
  const isReplayed = trigger.state === 'REPLAYED';
  return html`
    <p>
      ${t(isReplayed ? 'dead-trigger.replayed-by' : 'dead-trigger.discarded-by', { by: trigger.settledBy })}
      ${instant(trigger.settledAt)}
    </p>
    ${isReplayed
      ? html`<p>
          ${replayStatus
            ? html`${t('dead-trigger.replay-ended')} ${badge('status', replayStatus)}`
            : t('dead-trigger.replay-goes-on')}
          <a href=${link`/jobs/${trigger.nodeGroup}/${trigger.taskId}`}>${t('dead-trigger.see-job')}</a>
        </p>`
      : html`<p class="hint">${t('dead-trigger.may-replay')}</p>`}
  `;
}

function factsOf({ trigger, handler, workerId }) {
  return facts([
    [t('col.task'), jobLink(trigger)],
    [t('col.group'), groupLink(trigger.nodeGroup)],
    [t('col.planned'), instant(trigger.plannedFor)],
    [t('dead.died'), instant(trigger.diedAt)],
    [t('dead.attempts'), number(trigger.attempts)],
    [t('dead-trigger.of'), t(trigger.recurring ? 'dead-trigger.recurring' : 'dead-trigger.one-shot')],
    [t('dead-trigger.extra'), trigger.ordinal > 0 ? number(trigger.ordinal) : null],
    [
      t('batch.parts'),
      trigger.parts ? html`<a href=${link`/batches/${trigger.id}`}>${number(trigger.parts)}</a>` : null,
    ],
    [t('col.handler'), handler],
    [t('col.worker'), workerLink(workerId, trigger.nodeGroup)],
    [
      t('dead-trigger.replay-of'),
      trigger.replayOf ? html`<a href=${link`/dead/${trigger.replayOf}`}>${trigger.replayOf}</a>` : null,
    ],
  ]);
}

function attemptsTable(trigger, attempts) {
  return table({
    caption: t('dead-trigger.attempts', { n: attempts.length }),
    rows: attempts,
    key: (row) => row.executionId,
    empty: t('dead-trigger.no-attempts'),
    columns: [
      { name: t('col.attempt'), kind: 'number', cell: (row) => number(row.attempt) },
      { name: t('col.status'), cell: (row) => badge('status', row.status) },
      { name: t('col.worker'), cell: (row) => workerLink(row.workerId, trigger.nodeGroup) },
      { name: t('col.started'), cell: (row) => instant(row.startedAt) },
      { name: t('col.finished'), cell: (row) => instant(row.finishedAt) },
      { name: t('col.ran-for'), kind: 'number', cell: (row) => between(row.startedAt, row.finishedAt) },
      { name: t('col.message'), kind: 'short', cell: whatWasSaid },
      { name: t('dead-trigger.log'), kind: 'actions', cell: logLink },
    ],
  });
}

function logLink(row) {
  return html`<a
    href=${link`/executions/${row.executionId}`}
    aria-label=${t('dead-trigger.log.label', { n: row.attempt })}
    >${t('dead-trigger.log')}</a
  >`;
}

function ofItsJob(trigger) {
  return html`${t('dead-trigger.params-of-job')}
    <a href=${link`/jobs/${trigger.nodeGroup}/${trigger.taskId}`}>${trigger.taskId}</a>`;
}

function replayForm(page) {
  const { trigger, params: before } = page.data;
  const text = writeParams(before);
  const replay = (event) => {
    event.preventDefault();
    replayWith(page, text, event.currentTarget.elements['replay-params'].value);
  };
  return html`<form class="replay" @submit=${replay}>
    ${field(
      'replay-params',
      t('dead-trigger.params'),
      html`<textarea
        id="replay-params"
        name="replay-params"
        spellcheck="false"
        aria-describedby="replay-params-hint"
        .value=${text}
      ></textarea>
      ${paramsTable('replay-params', text)}`,
      t(hintOn(before)),
    )}
    <div class="actions">
      <button
        type="submit"
        class="main"
        aria-label=${t('dead.replay.label', { task: trigger.taskId })}
      >
        ${t('act.replay')}
      </button>
      ${trigger.parts ? button(t('dead.replay-rest'), () => replayKeeping(page, trigger)) : nothing}
    </div>
  </form>`;
}

function hintOn(before) {
  return before ? 'dead-trigger.params.hint' : 'dead-trigger.params.hint-of-job';
}

/** What was not changed is not sent: of the same parameters, a replay has all, as they were. */
async function replayWith(page, before, text) {
  try {
    await replayOne(page, page.data.trigger, text === before ? undefined : readParams(text));
  } catch (failure) {
    tell(failure.message, 'bad');
  }
}
