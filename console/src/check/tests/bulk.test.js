import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

Object.assign(globalThis, { addEventListener: () => {}, removeEventListener: () => {}, requestAnimationFrame: () => 1 });

const { changeInRounds, onBulkChange } = await web('core/bulk.js');
const { Problem } = await web('core/api.js');

const page = { address: '/dead', query: {}, definition: { title: 'dead.title' }, set: () => {} };
const refused = () => Promise.reject(new Problem(500, { detail: 'the disk is full' }));

/** What came of the rounds of a change. */
const ended = (total, rounds) =>
  new Promise((ended) => {
    onBulkChange({ changed: () => {}, signedOut: () => {}, ended });
    changeInRounds(page, 'replay', total, rounds[Symbol.iterator]());
  });

test('a round that fails as a whole has failed for each that is in it', async () => {
  const { done, failed, reasons } = await ended(120, [
    { count: 50, run: refused },
    { count: 50, run: async () => ({ done: 50, refused: [{ why: 'replayed before' }] }) },
    { count: 20, run: refused },
  ]);

  assert.deepEqual([done, failed], [120, 71]);
  assert.deepEqual(reasons.map(({ why }) => why), ['the disk is full', 'replayed before', 'the disk is full']);
});
