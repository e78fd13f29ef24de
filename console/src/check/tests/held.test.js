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

test('each row of a list may have a list, whose rows stay in their places too', () => {
  const groups = (...pairs) => pairs.map(([name, items]) => ({ name, items }));
  const kept = held(
    { groups: ({ name }) => name, 'groups.*.items': ({ id }) => id },
    { groups: groups(['a', rows(1, 2)], ['b', rows(3)]) },
    { groups: groups(['c', now(9)], ['b', now(4, 3)], ['a', now(2)]) },
  );

  assert.deepEqual(
    kept.data.groups.map(({ name, items }) => [name, ...shown({ data: { items } })]),
    [
      ['a', '1 before gone', '2 now'],
      ['b', '3 now'],
    ],
  );
  assert.deepEqual([kept.added, kept.gone], [2, 1]);
  assert.ok(Array.isArray(kept.data.groups));
});

test('a list that is not there has no rows to stay', () => {
  const kept = held({ 'found.*.items': ({ id }) => id, 'none.items': ({ id }) => id }, { none: null }, { none: null, found: [] });

  assert.deepEqual(kept, { data: { none: null, found: [] }, added: 0, gone: 0 });
});

const TABLES = [
  ['dead.js', 'dead', (names) => ({ failures: { items: names.map((like) => ({ like })) } })],
  ['dead-trigger.js', 'deadTrigger', (names) => ({ attempts: names.map((executionId) => ({ executionId })) })],
  ['groups.js', 'groups', (names) => ({ trackers: { items: names.map((number) => ({ number })) } })],
  ['late.js', 'late', (names) => ({ details: [{ group: { name: 'a' }, due: names.map((taskId) => ({ taskId })) }] })],
  ['late.js', 'late', (names) => ({ others: names.map((name) => ({ name })) })],
  ['overview.js', 'overview', (names) => ({ all: { largest: names.map((name) => ({ name })) } })],
  ['waiting.js', 'waiting', (names) => ({ groups: names.map((name) => ({ name })) })],
  ['worker.js', 'worker', (names) => ({ executing: names.map((id) => ({ id })) })],
];

for (const [module, page, data] of TABLES) {
  test(`rows of the page ${page} stay in their places`, async () => {
    const { rows: lists } = (await web(`pages/${module}`))[page];
    const before = data(['first', 'second']);
    const kept = held(lists, before, data(['third', 'second', 'first']));

    assert.deepEqual(kept, { data: before, added: 1, gone: 0 });
  });
}

test('what was given is not changed', () => {
  const before = { items: rows(1) };
  const fresh = { items: now(2) };
  held(byId, before, fresh);

  assert.deepEqual([before.items, fresh.items], [rows(1), now(2)]);
});
