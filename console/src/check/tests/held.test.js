import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { GONE, held } = await web('core/held.js');

const rows = (...ids) => ids.map((id) => ({ id, at: 'before' }));
const now = (...ids) => ids.map((id) => ({ id, at: 'now' }));
const byId = { items: ({ id }) => id };
const shown = ({ data: { items } }) => items.map((row) => `${row.id} ${row.at}${row[GONE] ? ' gone' : ''}`);

test('rows stay in their places with their present values, and new ones are counted', () => {
  const kept = held(byId, { items: rows(1, 2, 3) }, { items: now(4, 3, 2, 1) });

  assert.deepEqual(shown(kept), ['1 now', '2 now', '3 now']);
  assert.deepEqual([kept.added, kept.gone], [1, 0]);
});

test('a row that is gone is marked, and stays', () => {
  const kept = held(byId, { items: rows(1, 2, 3) }, { items: now(1, 3) });

  assert.deepEqual(shown(kept), ['1 now', '2 before gone', '3 now']);
  assert.deepEqual([kept.added, kept.gone], [0, 1]);
});

test('the end of a full list may only have moved to its next page', () => {
  const kept = held(byId, { items: rows(1, 2, 3) }, { items: now(5, 1, 2) });

  assert.deepEqual(shown(kept), ['1 now', '2 now', '3 before']);
  assert.deepEqual([kept.added, kept.gone], [1, 0]);
});

test('lists within the data are held, and all else is as it is now', () => {
  const before = { found: { items: rows(1), next: 'a' }, note: 'before' };
  const kept = held({ 'found.items': ({ id }) => id, 'more.items': ({ id }) => id }, before, {
    found: { items: now(2, 1), next: 'b' },
    note: 'now',
  });

  assert.deepEqual(kept.data, { found: { items: now(1), next: 'b' }, note: 'now' });
  assert.equal(kept.added, 1);
});

test('what was given is not changed', () => {
  const before = { items: rows(1) };
  const fresh = { items: now(2) };
  held(byId, before, fresh);

  assert.deepEqual([before.items, fresh.items], [rows(1), now(2)]);
});
