import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { events, get, path, withQuery } from '../core/api.js';
import { between, duration, instant, number, prettyJson } from '../core/format.js';
import { endedOf } from '../core/parts.js';
import { t, word } from '../core/words.js';
import {
  badge,
  button,
  choice,
  emptyNotice,
  facts,
  groupLink,
  jobLink,
  link,
  section,
  workerLink,
} from '../core/view.js';
import { plannedFor } from './history.js';
import { attemptOf, elapsed, partName, progressOf, running, stopMark, terminateButton } from './running.js';

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'];
const LEVEL_TONES = { INFO: 'good', WARN: 'warn', ERROR: 'bad' };

/** Lines of one request, and lines that are kept here: the latest of them. */
const LINES_AT_ONCE = 500;
const MOST_LINES = 2_000;

/** Characters of a result that are shown at first. */
const MOST_RESULT_CHARS = 4_000;

/** Lines may arrive a little after the end of their execution. */
const STRAGGLERS_MILLIS = 10_000;
const DRAW_MILLIS = 200;
const AGAIN_MILLIS = 5_000;

export const execution = {
  title: ({ data }) =>
    data === null ? t('execution.title') : t('execution.title-of', { task: rowOf(data).taskId }),
  question: 'execution.question',
  within: running,
  every: 2_000,
  load,
  view,
};

const rowOf = ({ underWay, ended }) => underWay ?? ended;

/** What has ended changes no more. */
async function load(page) {
  const detail = page.data?.ended ? page.data : await get(path`/executions/${page.params.id}`);
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
          ${underWay && page.may('OPERATE') ? terminateButton(page, underWay) : nothing}
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
    ${section(t('execution.log'), logView(page), page.ui.log ? logControls(page) : nothing)}
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
    [t('col.claimed'), instant(row.claimedAt)],
    [t('execution.waited'), between(row.dueAt, row.claimedAt)],
    [t('execution.progress'), progressOf(row)],
    [t('batch.parts'), row.parts ? endedOf(row.parts) : null],
    [t('batch.part'), row.part ? html`<a href=${link`/batches/${row.part.batch}`}>${partName(row.part)}</a>` : null],
    [t('execution.timeout'), row.timeout ? duration(row.timeout) : t('execution.no-timeout')],
    [t('col.priority'), number(row.priority)],
    [t('execution.kind'), word('kind', row.kind)],
    [t('execution.submitted-by'), row.submittedBy],
  ]);
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
    [t('col.claimed'), instant(row.claimedAt)],
    [t('col.started'), instant(row.startedAt)],
    [t('col.finished'), instant(row.finishedAt)],
    [t('col.late-by'), between(row.dueAt, row.startedAt)],
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

async function beginLog(page, detail) {
  const log = { id: detail.id, lines: [], last: 0, dropped: 0, more: false, state: 'reading' };
  page.ui.log = log;
  page.ui.follow ??= Boolean(detail.underWay);
  try {
    await readOn(log);
  } catch (failure) {
    page.ui.log = null;
    throw failure;
  }
  if (page.isCurrent && isStillWritten(detail)) {
    page.onLeave(() => leaveLog(log));
    stream(page, log);
  } else {
    log.state = 'over';
  }
}

function isStillWritten({ underWay, ended }) {
  return underWay || Date.now() - new Date(ended.finishedAt).getTime() < STRAGGLERS_MILLIS;
}

async function readOn(log) {
  const url = path`/executions/${log.id}/log`;
  const { items, next } = await get(withQuery(url, { after: log.last, limit: LINES_AT_ONCE }));
  take(log, items);
  log.more = Boolean(next);
}

function take(log, lines) {
  const fresh = lines.filter((line) => line.sequence > log.last);
  if (fresh.length > 0) {
    log.lines = [...log.lines, ...fresh];
    log.last = fresh.at(-1).sequence;
  }
  const tooMany = log.lines.length - MOST_LINES;
  if (tooMany > 0) {
    log.lines = log.lines.slice(tooMany);
    log.dropped += tooMany;
  }
}

function stream(page, log) {
  const url = path`/executions/${log.id}/log/stream`;
  const source = events(withQuery(url, { after: log.last }));
  log.source = source;
  log.more = false;
  source.addEventListener('open', () => drawSoon(page, log, 'live'));
  source.addEventListener('line', ({ data }) => {
    take(log, [JSON.parse(data)]);
    drawSoon(page, log, 'live');
  });
  source.addEventListener('end', () => {
    source.close();
    drawSoon(page, log, 'over');
    page.load();
  });
  source.addEventListener('error', () => {
    drawSoon(page, log, 'broken');
    if (source.readyState === EventSource.CLOSED) {
      clearTimeout(log.again);
      log.again = setTimeout(() => stream(page, log), AGAIN_MILLIS);
    }
  });
}

function leaveLog(log) {
  log.source?.close();
  clearTimeout(log.again);
  clearTimeout(log.drawing);
  log.drawing = null;
}

/** Lines come by the hundred; the page is drawn for many of them at once. */
function drawSoon(page, log, state) {
  log.state = state;
  log.drawing ??= setTimeout(() => {
    log.drawing = null;
    if (page.isCurrent) {
      page.set({});
      scrollToEnd(page);
    }
  }, DRAW_MILLIS);
}

function scrollToEnd(page) {
  const area = document.getElementById('log');
  if (page.ui.follow && area) {
    area.scrollTop = area.scrollHeight;
  }
}

function logControls(page) {
  const follow = (event) => {
    page.set({ follow: event.currentTarget.checked });
    scrollToEnd(page);
  };
  const levels = LEVELS.map((level) => [level, t('execution.level-up', { level: word('level', level) })]);
  return html`<div class="actions">
    <span class="muted" role="status">${t(`execution.log.${page.ui.log.state}`)}</span>
    <label
      ><span class="unseen">${t('execution.level')}</span>
      ${choice('level', page.ui.level ?? '', [['', t('execution.all-levels')], ...levels], (event) =>
        page.set({ level: event.currentTarget.value }),
      )}</label
    >
    <label><input type="checkbox" .checked=${page.ui.follow} @change=${follow} /> ${t('execution.follow')}</label>
  </div>`;
}

function logView(page) {
  const { log } = page.ui;
  if (!log || (log.lines.length === 0 && log.state === 'reading')) {
    return html`<p class="loading" aria-busy="true">${t('loading')}</p>`;
  }
  if (log.lines.length === 0) {
    return emptyNotice(t(page.data.underWay ? 'execution.log-none-yet' : 'execution.log-none'));
  }
  const lowest = LEVELS.indexOf(page.ui.level);
  const lines = log.lines.filter((line) => LEVELS.indexOf(line.level) >= lowest);
  return html`
    ${log.dropped > 0
      ? html`<p class="hint">${t('execution.log-dropped', { n: log.dropped })}</p>`
      : nothing}
    ${lines.length === 0 ? emptyNotice(t('execution.log-filtered')) : logLines(page, lines)}
    ${log.more ? button(t('execution.log-more'), () => showMore(page, log)) : nothing}
  `;
}

function logLines(page, lines) {
  return html`<div
    id="log"
    class="log"
    role="log"
    tabindex="0"
    aria-live=${page.ui.follow ? 'polite' : 'off'}
    aria-label=${t('execution.log')}
    @scroll=${(event) => stopFollowing(page, event.currentTarget)}
  >
    ${lines.map(
      ({ at, level, text }) =>
        html`<div class="line" data-level=${level}>
          <time datetime=${at} title=${at}>${clock(at)}</time
          ><span class="badge" data-tone=${LEVEL_TONES[level] ?? 'calm'}>${word('level', level)}</span
          ><span>${text}</span>
        </div>`,
    )}
  </div>`;
}

/** Who scrolls back wants to read. */
function stopFollowing(page, area) {
  const isAtEnd = area.scrollHeight - area.scrollTop - area.clientHeight < 8;
  if (page.ui.follow && !isAtEnd) {
    page.set({ follow: false });
  }
}

async function showMore(page, log) {
  await page.act(() => readOn(log));
}

/** Written by hand: a log has thousands of lines, and the browser's own writing takes its time. */
function clock(text) {
  const at = new Date(text);
  const two = (value) => String(value).padStart(2, '0');
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return `${time}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}
