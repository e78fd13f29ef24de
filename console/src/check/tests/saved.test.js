import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { textOf, web } from './setup.js';

const { savedSearches } = await web('core/saved.js');

const KEPT = 'millrace.searches';

beforeEach(() => localStorage.clear());

test('the searches of a page are shown on it, and one can be saved where something is searched for', () => {
  localStorage.setItem(KEPT, JSON.stringify([{ address: '/jobs', name: 'mine', query: { owner: 'me' } }, { address: '/dead', name: 'other', query: {} }]));

  assert.equal(textOf(savedSearches({ address: '/jobs', query: {} })), 'mine ✕');
  assert.equal(textOf(savedSearches({ address: '/dead', query: { taskId: 'x' } })), 'other ✕ Save this search');
});

test('a place in a list is no search', () => {
  assert.equal(textOf(savedSearches({ address: '/jobs', query: { after: 'x', before: '1', row: '2' } })), '');
});

test('what was kept and cannot be read is no search', () => {
  for (const kept of ['{', '"x"', '{}', 'null']) {
    localStorage.setItem(KEPT, kept);
    assert.equal(textOf(savedSearches({ address: '/jobs', query: {} })), '', kept);
  }
});
