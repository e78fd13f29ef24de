/** A job as a command of a shell: for the command line, and for curl. The operator's token is never part of it. */

import { path } from './api.js';
import { DEFINITION } from './job-values.js';

const TOKEN = 'MILLRACE_OPERATOR_TOKEN';
const RETRY_OF_THE_COMMAND = { firstDelay: 'PT1S', maxDelay: 'PT10M', multiplier: 2, jitter: 0.2, nonRetryable: [] };

/** Text as one word of a POSIX shell, with any characters in it. */
export function quoted(text) {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The definition of a job as it is submitted: without what is the default if it is missing. */
export function definitionOf(job) {
  const of = /** @type {(keyof Job)[]} */ (['nodeGroup', 'taskId', ...DEFINITION]).map((name) => [name, job[name]]);
  return Object.fromEntries(of.filter(([, value]) => !isDefault(value)));
}

const isDefault = (value) =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** millrace submit, for this job; the token is read from the environment. */
export function submitCommand(job, url) {
  return command('submit', job, url, [
    ...scheduleOptions(job.schedule),
    option('handler', job.handler),
    option('priority', job.priority),
    option('retry', job.retry?.maxRetries),
    option('timeout', job.timeout),
    option('overlap', overlapOf(job.overlap)),
    option('misfire', misfireOf(job.misfire)),
    flag('rely-on-prev-cycle', job.relyOnPrevCycle),
    option('shards', job.shards),
    flag('broadcast', job.broadcast),
    option('on-worker-lost', lower(job.onWorkerLost)),
    option('reduce', job.reduce),
    option('on-part-failure', lower(job.onPartFailure)),
    option('within', job.within),
    ...(job.on ?? []).map((label) => option('on', label)),
    option('stick-to', job.stickTo),
    ...paramOptions(job.params),
  ]);
}

/** millrace run, with the parameters of the job. */
export const runCommand = (job, url) => command('run', job, url, paramOptions(job.params));

/** The fields of a job for which millrace submit has no option. */
export function leftOutOfCommand({ retry = {}, params = {} }) {
  const ofRetry = Object.entries(RETRY_OF_THE_COMMAND)
    .filter(([name, value]) => retry[name] !== undefined && JSON.stringify(retry[name]) !== JSON.stringify(value))
    .map(([name]) => `retry.${name}`);
  return [...ofRetry, ...withoutOption(params)];
}

/** A parameter whose name has an equals sign cannot be told from its value. */
const withoutOption = (params) =>
  Object.keys(params ?? {})
    .filter((name) => name.includes('=') || name === '')
    .map((name) => `params.${name}`);

/** curl that submits this job. */
export const submitCurl = (job, url) => curl(`${url}/api/v1/jobs`, definitionOf(job));

/** curl that runs the job once more, with its parameters. */
export const runCurl = (job, url) =>
  curl(`${url}/api/v1${path`/jobs/${job.nodeGroup}/${job.taskId}/run`}`, { params: job.params ?? {} });

function command(name, { nodeGroup, taskId }, url, options) {
  const words = options.filter((each) => each !== null);
  return [`millrace ${name}`, `--url=${quoted(url)}`, ...words, `-- ${quoted(nodeGroup)} ${quoted(taskId)}`].join(' \\\n  ');
}

function curl(url, body) {
  return [
    `curl -sS -X POST ${quoted(url)}`,
    `-H "Authorization: Bearer $${TOKEN}"`,
    "-H 'Content-Type: application/json'",
    `--data-binary ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ');
}

const option = (name, value) =>
  value === undefined || value === null ? null : `--${name}=${quoted(String(value))}`;

const flag = (name, isSet) => (isSet ? `--${name}` : null);

const lower = (constant) => constant?.toLowerCase();

const scheduleOptions = ({ cron, zone, every, fixedDelay, at, after, times, until }) => [
  option('cron', cron),
  option('zone', zone),
  option('every', every),
  option('fixed-delay', fixedDelay),
  option('at', at),
  option('after', after),
  option('times', times),
  option('until', until),
];

const overlapOf = (overlap) =>
  overlap && (overlap.kind === 'QUEUE' ? `queue:${overlap.limit}` : lower(overlap.kind));

function misfireOf(misfire) {
  if (!misfire || misfire.kind === 'NONE') {
    return lower(misfire?.kind);
  }
  const { kind, window, cap, afterPause } = misfire;
  return [
    lower(kind),
    ...(window ? [`window=${window}`] : []),
    ...(kind === 'ALL' && cap ? [`cap=${cap}`] : []),
    ...(afterPause ? ['after-pause'] : []),
  ].join(',');
}

function paramOptions(params) {
  const left = new Set(withoutOption(params));
  return Object.keys(params ?? {})
    .filter((name) => !left.has(`params.${name}`))
    .sort()
    .map((name) => option('param', `${name}=${params[name]}`));
}
