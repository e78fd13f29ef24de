import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { behind, commandsOnJobs } = await web('core/finder-commands.js');

test('a command is asked for by its first word, the beginning of it, or all its words', () => {
  assert.equal(behind('Run now', 'run nightly'), 'nightly');
  assert.equal(behind('Run now', 'ru nightly report'), 'nightly report');
  assert.equal(behind('Run now', 'RUN NOW nightly'), 'nightly');
  assert.equal(behind('暂停', '暂停 nightly'), 'nightly');
});

test('a name alone, a word alone and another word ask for no command', () => {
  assert.equal(behind('Pause', 'pause'), '');
  assert.equal(behind('Pause', 'pause '), '');
  assert.equal(behind('Pause', 'paused job'), '');
  assert.equal(behind('Pause', 'nightly'), '');
});

test('commands are offered for jobs that may be changed', async (context) => {
  const items = ['billing', 'reports'].map((nodeGroup) => ({ nodeGroup, taskId: 'nightly', state: 'ACTIVE' }));
  context.mock.method(globalThis, 'fetch', async () => Response.json({ items }));
  const visit = { may: (role, group) => role === 'OPERATE' && group === 'billing', maySome: () => true };

  const commands = await commandsOnJobs(visit, 'pause nightly');

  assert.deepEqual(commands.map(({ note }) => note), ['billing']);
});
