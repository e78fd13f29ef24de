/** The last runs of a job at a glance: a mark for each, and what they have in common. */

import { html, nothing, svg } from '/console/lib/lit-html/lit-html.js';
import { repeat } from '/console/lib/lit-html/directives/repeat.js';
import { between, moment, number, percent, span } from './format.js';
import { badge, link } from './view.js';
import { t, word } from './words.js';

/** How many runs a page asks for: the most that the API gives. */
export const RUNS = 20;

const WIDTH = 8;

/** Of what is clicked; the mark is in its middle. */
const HEIGHT = 24;
const MARK = 20;

/** A shape for each outcome, so that they can be told apart without colours. */
const SHAPES = {
  SUCCEEDED: 'M1 2 h6 v16 h-6 z',
  FAILED: 'M4 3 L8 18 H0 z',
  DEAD: 'M0 4 L2 2 L4 7 L6 2 L8 4 L5.4 10 L8 16 L6 18 L4 13 L2 18 L0 16 L2.6 10 z',
  CANCELLED: 'M1.6 2.6 h4.8 v14.8 h-4.8 z',
  SKIPPED: 'M1 15 h6 v3 h-6 z',
};

/** The outcomes that say whether a job works; what was skipped or cancelled does not say it. */
const COUNTED = ['SUCCEEDED', 'FAILED', 'DEAD'];

/**
 * What runs have in common.
 *
 * @param runs as the API has them
 * @return the part of them that succeeded, and the lengths and delays of those that started, in milliseconds; null where no run
 *     says it
 */
export function figuresOf(runs) {
  const counted = runs.filter(({ status }) => COUNTED.includes(status));
  const started = runs.filter(({ startedAt }) => startedAt);
  const ran = started.map((run) => millis(run.startedAt, run.finishedAt));
  const late = started.map((run) => millis(run.dueAt, run.startedAt));
  return {
    counted: counted.length,
    rate: counted.length === 0 ? null : counted.filter(({ status }) => status === 'SUCCEEDED').length / counted.length,
    started: started.length,
    ran: { p50: percentile(ran, 50), p95: percentile(ran, 95) },
    late: { p50: percentile(late, 50), p95: percentile(late, 95) },
  };
}

/** The clocks of workers and of the tracker differ: no span is below zero. */
const millis = (from, to) => Math.max(0, new Date(to).getTime() - new Date(from).getTime());

/** The smallest value that at least this part of all values does not exceed; null if there is none. */
export function percentile(values, percentage) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil((percentage / 100) * sorted.length) - 1)];
}

/** Such as "1.2 s / 4 s"; a dash if no run says it. */
export const spread = ({ p50, p95 }) => (p50 === null ? '–' : `${span(p50)} / ${span(p95)}`);

/** The same for a narrow column, in which the second value may be below the first. */
const narrow = (text) => text.replaceAll(' ', '\u00a0').replace('/\u00a0', '/ ');

export const rateOf = ({ rate }) => (rate === null ? '–' : percent(rate));

/** The outcome of the last run; a dash if there is none. */
export const lastOutcome = (runs) => (runs.length === 0 ? '–' : badge('status', runs[0].status));

/** The runs of a list of jobs, as columns; empty while they are read. */
export function runColumns() {
  const figures = new Map();
  const of = ({ lastRuns }) => figures.get(lastRuns) ?? figures.set(lastRuns, figuresOf(lastRuns)).get(lastRuns);
  const spreadOf = (job, what) => (job.lastRuns ? narrow(spread(of(job)[what])) : nothing);
  return [
    {
      name: t('runs.last'),
      cell: (job) =>
        !job.lastRuns
          ? nothing
          : job.lastRuns.length === 0
          ? '–'
          : html`${strip(job)} ${lastOutcome(job.lastRuns)} <small title=${t('runs.rate')}>${rateOf(of(job))}</small>`,
    },
    { name: t('runs.ran'), kind: 'number spread', cell: (job) => spreadOf(job, 'ran') },
    { name: t('runs.late'), kind: 'number spread', cell: (job) => spreadOf(job, 'late') },
  ];
}

/**
 * A mark for each run, the last one on the right, which leads to its execution. All of them are one stop for the Tab key; arrow
 * keys move between them.
 */
export function strip({ taskId, lastRuns }) {
  const runs = [...lastRuns].reverse();
  return html`<svg
    class="runs"
    role="group"
    aria-label=${t('runs.label', { n: runs.length, task: taskId })}
    width=${runs.length * WIDTH}
    height=${HEIGHT}
    viewBox="0 0 ${runs.length * WIDTH} ${HEIGHT}"
    @keydown=${move}
    @pointerover=${showWords}
  >
    ${repeat(
      runs,
      (run) => run.id,
      (run, i) => mark(run, i, i === runs.length - 1),
    )}
  </svg>`;
}

/** In one line: a list of jobs has a thousand marks, and a line break between two elements is a node, too. */
function mark(run, i, isLast) {
  return svg`<a href=${link`/executions/${run.id}`} aria-label=${wordsOf(run)} tabindex=${isLast ? 0 : -1} transform="translate(${i * WIDTH} ${(HEIGHT - MARK) / 2})"><rect class="whole"></rect><path class=${run.status.toLowerCase()} d=${SHAPES[run.status]}></path></a>`;
}

/** Shows the words of a mark while the pointer is on it: those of all marks would be as many nodes as the marks. */
export function showWords(event) {
  const mark = event.target.closest('a');
  if (mark) {
    const title = mark.querySelector('title') ?? mark.appendChild(document.createElementNS(mark.namespaceURI, 'title'));
    title.textContent = mark.getAttribute('aria-label');
  }
}

/** Such as "succeeded: planned for 05:00:00, started 20 ms late, ran for 1.2 s". */
export function wordsOf(run) {
  const values = { outcome: word('status', run.status), at: moment(run.plannedFor) };
  return run.startedAt
    ? t('runs.run', { ...values, late: between(run.dueAt, run.startedAt), ran: between(run.startedAt, run.finishedAt) })
    : t('runs.run.unstarted', values);
}

const STEPS = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (at, last) => last,
};

/** Arrow keys move between the links of an element, of which only one is a stop for the Tab key. */
export function move(event) {
  const step = STEPS[event.key];
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (step && at >= 0) {
    event.preventDefault();
    links[Math.min(links.length - 1, Math.max(0, step(at, links.length - 1)))].focus();
  }
}

/** What the marks mean, for the outcomes that these runs have, and how many have each. */
export function legend(runs) {
  return html`<ul class="legend">
    ${Object.keys(SHAPES)
      .map((status) => /** @type {[string, number]} */ ([status, runs.filter((run) => run.status === status).length]))
      .filter(([, count]) => count > 0)
      .map(
        ([status, count]) =>
          html`<li>
            <svg class="runs" width=${WIDTH} height=${MARK} viewBox="0 0 ${WIDTH} ${MARK}" aria-hidden="true">
              <path class=${status.toLowerCase()} d=${SHAPES[status]}></path>
            </svg>
            ${word('status', status)} ${number(count)}
          </li>`,
      )}
  </ul>`;
}

/** What the last runs of one job have in common, with names. */
export function runFacts(runs) {
  const figures = figuresOf(runs);
  return [
    [t('runs.outcome'), lastOutcome(runs)],
    [t('runs.rate'), figures.rate === null ? null : html`${rateOf(figures)} <small>${t('runs.of', { n: figures.counted })}</small>`],
    [t('runs.ran'), figures.started === 0 ? null : spread(figures.ran)],
    [t('runs.late'), figures.started === 0 ? null : spread(figures.late)],
  ];
}
