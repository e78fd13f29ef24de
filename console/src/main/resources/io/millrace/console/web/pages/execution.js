import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { getTexts, path } from '../core/api.js';
import { between, duration, instant, number, prettyJson } from '../core/format.js';
import { endedOf } from '../core/parts.js';
import { currentLanguage, t, word } from '../core/words.js';
import {
  badge,
  button,
  facts,
  groupLink,
  jobLink,
  link,
  linkWith,
  section,
  workerLink,
} from '../core/view.js';
import { plannedFor } from './history.js';
import { beginLog, logSection } from './log.js';
import { attemptOf, elapsed, partName, progressOf, stopMark, terminateButton } from './running.js';

/** Characters of a result that are shown at first. */
const MOST_RESULT_CHARS = 4_000;

/** A shorter wait is none that anybody would ask about. */
const LONG_WAIT_MILLIS = 1_000;

/** What kept workers busy was claimed before; the timeline goes back so far. */
const BEFORE_MILLIS = 3_600_000;

export const execution = {
  title: ({ data }) =>
    data === null ? t('execution.title') : t('execution.title-of', { task: rowOf(data).taskId }),
  question: 'execution.question',
  every: 2_000,
  load,
  view,
};

const rowOf = ({ underWay, ended }) => underWay ?? ended;

/** What has ended changes no more, but the language may. */
async function load(page) {
  const language = currentLanguage();
  const isKnown = page.data?.ended && page.data.language === language;
  const detail = isKnown ? page.data : { ...(await getTexts(path`/executions/${page.params.id}`)), language };
  if (!page.ui.log && page.isCurrent) {
    await beginLog(page, detail);
  }
  return detail;
}

function view(page) {
  const { id, underWay, ended, kept, wasSplit } = page.data;
  return html`
    <section class="card">
      <header>
        <p class="words">${underWay ? stateUnderWay(underWay) : badge('status', ended.status)}</p>
        <div class="actions">
          ${underWay && page.may('OPERATE', underWay.nodeGroup) ? terminateButton(page, underWay) : nothing}
          ${underWay?.parts || wasSplit
            ? html`<a class="button" href=${link`/batches/${id}`}>${t('execution.see-parts')}</a>`
            : nothing}
          ${ended?.status === 'DEAD'
            ? html`<a class="button" href=${link`/dead/${ended.id}`}>${t('execution.see-dead')}</a>`
            : nothing}
        </div>
      </header>
      ${underWay ? factsUnderWay(underWay) : factsOfEnd(ended)}
    </section>
    ${kept ? section(t('execution.steps'), stepsView(kept)) : nothing}
    ${ended?.message
      ? section(t('col.message'), html`<pre tabindex="0">${ended.message}</pre>`)
      : nothing}
    ${page.data.result ? section(t('execution.result'), resultView(page)) : nothing}
    ${logSection(page)}
  `;
}

/** Shown as text, never as markup; a large one is cut off until someone asks for all of it. */
function resultView(page) {
  const pretty = prettyJson(page.data.result);
  const isCut = pretty.length > MOST_RESULT_CHARS && !page.ui.wholeResult;
  return html`
    <pre id="result" tabindex="0">${isCut ? `${pretty.slice(0, MOST_RESULT_CHARS)}…` : pretty}</pre>
    ${isCut
      ? button(t('execution.result-all', { n: number(page.data.ended.resultBytes) }), () =>
          page.set({ wholeResult: true }),
        )
      : nothing}
  `;
}

function stateUnderWay(row) {
  return html`${badge('state', 'EXECUTING')} ${elapsed(row)} ${stopMark(row)}`;
}

function factsUnderWay(row) {
  return facts([
    ...factsOfBoth(row, attemptOf(row)),
    [t('col.planned'), instant(row.plannedFor)],
    [t('col.due'), instant(row.dueAt)],
    [t('col.claimed'), claimed(row)],
    [t('execution.waited'), waited(row, row.claimedAt)],
    [t('execution.progress'), progressOf(row)],
    [t('batch.parts'), row.parts ? endedOf(row.parts) : null],
    [t('batch.part'), row.part ? html`<a href=${link`/batches/${row.part.batch}`}>${partName(row.part)}</a>` : null],
    [t('execution.timeout'), row.timeout ? duration(row.timeout) : t('execution.no-timeout')],
    [t('col.priority'), number(row.priority)],
    [t('execution.kind'), word('kind', row.kind)],
    [t('execution.submitted-by'), row.submittedBy],
  ]);
}

const millis = (text) => new Date(text ?? NaN).getTime();

/** A tracker claims an instant ahead, so that what is due starts on time. */
const claimed = ({ claimedAt, dueAt }) =>
  html`${instant(claimedAt)} ${millis(claimedAt) < millis(dueAt) ? html`<small>${t('execution.claimed-ahead')}</small>` : nothing}`;

/** How long it was due before; a long wait leads to what ran in its node group until then. */
function waited({ nodeGroup, dueAt, finishedAt }, until) {
  if (!(millis(until) - millis(dueAt) >= LONG_WAIT_MILLIS)) {
    return between(dueAt, until);
  }
  const span = { from: new Date(millis(dueAt) - BEFORE_MILLIS).toISOString(), to: finishedAt };
  return html`${between(dueAt, until)} <a href=${linkWith('/timeline', { group: nodeGroup, ...span })}>${t('execution.meanwhile')}</a>`;
}

/** What a run keeps: when its last checkpoint and its steps were stored. */
export function stepsView({ checkpointAt, steps }) {
  return facts([
    [t('execution.checkpoint'), checkpointAt ? instant(checkpointAt) : null],
    ...steps.map(({ name, at, fault }) => [
      name,
      html`${instant(at)} ${fault ? t('execution.step-fault') : nothing}`,
    ]),
  ]);
}

function factsOfEnd(row) {
  return facts([
    ...factsOfBoth(row, row.attempt > 0 ? number(row.attempt) : t('execution.never-ran')),
    [t('col.planned'), plannedFor(row)],
    [t('col.due'), instant(row.dueAt)],
    [t('col.claimed'), claimed(row)],
    [t('col.started'), instant(row.startedAt)],
    [t('col.finished'), instant(row.finishedAt)],
    [t('col.late-by'), waited(row, row.startedAt)],
    [t('col.ran-for'), between(row.startedAt, row.finishedAt)],
    [t('col.cause'), row.cause],
    [t('execution.ended-by'), t(row.reported ? 'execution.reported' : 'execution.found-out')],
    [t('batch.part'), row.batch ? html`<a href=${link`/batches/${row.batch}`}>${partName({ number: row.ordinal })}</a>` : null],
    [t('execution.then'), t(row.isFinal ? 'execution.final' : 'execution.goes-on')],
    [t('execution.submitted-by'), row.submittedBy],
    [t('execution.submission'), row.submissionId],
  ]);
}

function factsOfBoth(row, attempt) {
  return [
    [t('col.task'), jobLink(row)],
    [t('col.group'), groupLink(row.nodeGroup)],
    [t('col.attempt'), attempt],
    [t('col.worker'), workerLink(row.workerId, row.nodeGroup)],
    [t('col.handler'), row.handler],
    [t('col.execution'), row.id],
  ];
}
