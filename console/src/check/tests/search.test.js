import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { inWords } = await web('core/search.js');
const { chooseZone } = await web('core/zone.js');

test('a search is told in words: states by their names, times by the clocks of the zone', () => {
  chooseZone('utc');

  assert.match(inWords({ nodeGroup: 'orders', state: 'OPEN', from: '2030-01-01T06:00:00Z' }), /Node group orders · State Open · From Jan 1, 2030, 06:00:00/);
  assert.match(inWords({ state: 'PAUSED' }), /State paused/);
});

test('a place in a list is no part of it, and no search is everything', () => {
  assert.equal(inWords({ after: 'x', group: '' }), inWords({}));
});
