import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { web } from './setup.js';

const { definitionOf, leftOutOfCommand, quoted, runCommand, submitCommand, submitCurl } = await web('core/commands.js');

const job = (more) => ({ nodeGroup: 'orders', taskId: 'tick', schedule: {}, retry: {}, params: {}, ...more });

test('any text is one word of a shell', () => {
  for (const text of ["it's", '$HOME `id` "x"', 'two\nlines', '', '*', '!']) {
    assert.equal(execFileSync('/bin/sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' }), text);
  }
  assert.equal(quoted('a-b_c.d/e:f,g@h%i+j'), 'a-b_c.d/e:f,g@h%i+j');
});

test('a job is submitted with an option for each field that is there', () => {
  const whole = job({
    schedule: { cron: '0 0 2 * * ?', zone: 'Europe/Berlin' },
    handler: 'bill',
    priority: 7,
    retry: { maxRetries: 0 },
    overlap: { kind: 'QUEUE', limit: 3 },
    misfire: { kind: 'ALL', window: 'PT2H', cap: 5, afterPause: true },
    broadcast: true,
    onWorkerLost: 'SKIP',
    on: ['gpu', 'big disk'],
    params: { b: '2', a: "it's" },
  });

  assert.deepEqual(submitCommand(whole, 'https://tracker').split(' \\\n  '), [
    'millrace submit',
    '--url=https://tracker',
    "--cron='0 0 2 * * ?'",
    '--zone=Europe/Berlin',
    '--handler=bill',
    '--priority=7',
    '--retry=0',
    '--overlap=queue:3',
    "--misfire='all,window=PT2H,cap=5,after-pause'",
    '--broadcast',
    '--on-worker-lost=skip',
    '--on=gpu',
    "--on='big disk'",
    "--param='a=it'\\''s'",
    "--param='b=2'",
    '-- orders tick',
  ]);
});

test('names that begin with a dash are no options', () => {
  assert.match(runCommand(job({ nodeGroup: '-x', taskId: '--help' }), 'http://t'), /-- -x --help$/);
});

test('what no option can say is named', () => {
  const retry = { maxRetries: 9, firstDelay: 'PT1S', maxDelay: 'PT1H', multiplier: 2, jitter: 0.2, nonRetryable: ['X'] };

  assert.deepEqual(leftOutOfCommand(job({ retry, params: { 'a=b': '1', '': '2', c: '3' } })), [
    'retry.maxDelay',
    'retry.nonRetryable',
    'params.a=b',
    'params.',
  ]);
  assert.doesNotMatch(submitCommand(job({ params: { 'a=b': '1' } }), 'http://t'), /--param/);
});

test('the definition leaves out what is the default', () => {
  const whole = job({ broadcast: false, on: [], handler: undefined, shards: null, priority: 0 });

  assert.deepEqual(definitionOf(whole), { nodeGroup: 'orders', taskId: 'tick', schedule: {}, params: {}, priority: 0, retry: {} });
});

test('curl sends the definition, and no token but that of the environment', () => {
  const text = submitCurl(job({ params: { a: "'" } }), 'http://t');

  assert.match(text, /^curl -sS -X POST http:\/\/t\/api\/v1\/jobs /);
  assert.match(text, /Bearer \$MILLRACE_OPERATOR_TOKEN"/);
  const body = text.slice(text.indexOf('--data-binary ') + '--data-binary '.length);
  assert.deepEqual(JSON.parse(execFileSync('/bin/sh', ['-c', `printf %s ${body}`], { encoding: 'utf8' })).params, { a: "'" });
});
