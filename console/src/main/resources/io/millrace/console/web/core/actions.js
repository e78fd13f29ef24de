/** What can be done to jobs, from more than one page. Each asks first where it takes something away. */

import { html, nothing } from '/console/lib/lit-html/lit-html.js';
import { get, path, post } from './api.js';
import { changeEach } from './bulk.js';
import { runCommand, runCurl, leftOutOfCommand, submitCommand, submitCurl } from './commands.js';
import { copyBlock } from './copy.js';
import { ask } from './dialog.js';
import { number } from './format.js';
import { paramsTable } from './params-table.js';
import { t } from './words.js';
import { field, link, readParams, writeParams } from './view.js';

const of = (job) => ({ group: job.nodeGroup, task: job.taskId });

export async function pauseJob(page, job) {
  const values = await ask({
    title: t('pause.title', of(job)),
    text: t('pause.text'),
    yes: t('act.pause'),
    fields: reasonField(),
  });
  if (values) {
    await page.act(() => pause(job, values.reason), t('pause.done', of(job)));
  }
}

export const resumeJob = (page, job) => page.act(() => resume(job), t('resume.done', of(job)));

/** Runs it with its own parameters, unless they are changed: then with these. */
export async function runJob(page, job) {
  const own = (await current(page, job))?.params;
  if (own === undefined) {
    return;
  }
  const values = await ask({
    title: t('run.title', of(job)),
    text: t('run.text'),
    yes: t('act.run'),
    fields: field(
      'extra-params',
      t('run.params'),
      html`<textarea
        id="extra-params"
        name="params"
        spellcheck="false"
        aria-describedby="extra-params-hint"
        .value=${writeParams(own)}
      ></textarea>
      ${paramsTable('extra-params', writeParams(own))}`,
      t('run.params.hint'),
    ),
    check: ({ params }) => readParams(params ?? ''),
  });
  if (!values) {
    return;
  }
  const params = readParams(values.params ?? '');
  const body = hasSameValues(params, own) ? {} : { params };
  await page.act(() => post(path`/jobs/${job.nodeGroup}/${job.taskId}/run`, body), t('run.done', of(job)));
}

/** The job as it is now; undefined if that cannot be told, which is said, or the page was left meanwhile. */
async function current(page, job) {
  try {
    const detail = await get(path`/jobs/${job.nodeGroup}/${job.taskId}`);
    return page.isCurrent ? detail : undefined;
  } catch (failure) {
    return page.act(() => Promise.reject(failure));
  }
}

function hasSameValues(some, others) {
  const names = Object.keys(some);
  return names.length === Object.keys(others).length && names.every((name) => some[name] === others[name]);
}

/** Shows how a shell submits this job, and runs it. */
export async function copyAsCommand(job) {
  const left = leftOutOfCommand(job);
  await showCommands(job, {
    title: t('copy.command.title', of(job)),
    text: left.length === 0 ? t('copy.token') : `${t('copy.token')} ${t('copy.command.left-out', { fields: left.join(', ') })}`,
    submit: submitCommand(job, location.origin),
    run: runCommand(job, location.origin),
  });
}

export async function copyAsCurl(job) {
  await showCommands(job, {
    title: t('copy.curl.title', of(job)),
    text: t('copy.token'),
    submit: submitCurl(job, location.origin),
    run: runCurl(job, location.origin),
  });
}

async function showCommands({ state }, { title, text, submit, run }) {
  const isRecurring = state === 'ACTIVE' || state === 'PAUSED';
  await ask({
    title,
    text,
    fields: html`${copyBlock('copy-submit', t('copy.submit'), submit)}
    ${isRecurring ? copyBlock('copy-run', t('copy.run'), run) : nothing}`,
  });
}

export async function cancelJob(page, job) {
  const yes = await ask({
    title: t('cancel.title', of(job)),
    text: t('cancel.text'),
    yes: t('act.cancel'),
    danger: true,
  });
  if (yes) {
    await page.act(
      () => cancel(job),
      (answer) => t('cancel.done', { ...of(job), n: answer.cancelledTriggers, running: answer.running }),
    );
  }
}

export async function terminateJob(page, job) {
  const yes = await ask({
    title: t('terminate.title', of(job)),
    text: t('terminate.text', { n: job.executing }),
    yes: t('act.terminate'),
    danger: true,
  });
  if (yes) {
    await page.act(
      () => post(path`/jobs/${job.nodeGroup}/${job.taskId}/terminate`),
      (answer) => t('terminate.done', { n: answer.running }),
    );
  }
}

const pause = (job, reason) => post(path`/jobs/${job.nodeGroup}/${job.taskId}/pause`, { reason });
const resume = (job) => post(path`/jobs/${job.nodeGroup}/${job.taskId}/resume`);
const cancel = (job) => post(path`/jobs/${job.nodeGroup}/${job.taskId}/cancel`);

/** What can be done to many jobs at once: each with the texts that ask, and what it does to one. */
const TO_MANY = {
  pause: { change: (job, values) => pause(job, values.reason), fields: reasonField },
  resume: { change: resume },
  cancel: { change: cancel, danger: true },
};

/**
 * Asks whether the same is to be done to many jobs.
 *
 * @param n how many they are
 * @param count the same in words
 * @param about the search that they match
 */
export function askAboutMany(what, { n, count = number(n), about }) {
  const { danger = false, fields = () => nothing } = TO_MANY[what];
  return ask({
    title: t(`${what}.many.title`, { n, count }),
    text: t(`${what}.many.text`, { n }),
    about,
    yes: t(`act.${what}`),
    danger,
    fields: fields(),
  });
}

/** Does the same to many jobs, having asked. */
export async function changeMany(page, what, jobs) {
  const values = await askAboutMany(what, { n: jobs.length });
  if (values) {
    const { change } = TO_MANY[what];
    changeEach(page, what, jobs, (job) => change(job, values), ofJob);
  }
}

/** What a job is called in the list of failures, and where it is shown. */
export const ofJob = ({ nodeGroup, taskId }) => ({ name: `${nodeGroup}/${taskId}`, address: link`/jobs/${nodeGroup}/${taskId}` });

function reasonField() {
  return field(
    'reason',
    t('pause.reason'),
    html`<input id="reason" name="reason" maxlength="256" autocomplete="off" />`,
  );
}
