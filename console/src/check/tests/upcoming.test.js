import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { apart } = await web('pages/upcoming.js');

test('of marks that lie over each other one is drawn', () => {
  const marks = [0, 0.5, 1.9, 2, 3, 10].map((at) => ({ fire: `${at}`, at }));

  assert.deepEqual(
    apart(marks).map(({ at }) => at),
    [0, 2, 10],
  );
});
