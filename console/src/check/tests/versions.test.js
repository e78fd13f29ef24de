import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { changesOf, definitionIn, pageOf } = await web('core/versions.js');

const entry = (action, detail, status = 200) => ({ action, status, detail: detail && JSON.stringify(detail) });

test('an entry has the definition with what is the default where nothing was sent', () => {
  const { schedule, priority, retry, misfire, overlap, params, on } = definitionIn(
    entry('submitJob', { schedule: { cron: '@daily' }, retry: { maxRetries: 1 } }),
  );

  assert.deepEqual(schedule, { cron: '@daily' });
  assert.deepEqual([priority, params, on, overlap], [100, {}, [], { kind: 'SKIP' }]);
  assert.equal(retry.maxRetries, 1);
  assert.equal(retry.firstDelay, 'PT1S');
  assert.deepEqual(misfire, { kind: 'LATEST', window: 'PT1H', cap: 100, afterPause: false });
});

test('runs that are made up for wait for one another, as many as may be made up for', () => {
  const { overlap } = definitionIn(entry('submitJob', { schedule: { every: 'PT1M' }, misfire: { kind: 'ALL', cap: 4 } }));

  assert.deepEqual(overlap, { kind: 'QUEUE', limit: 4 });
});

test('what runs once has neither misfires nor overlaps', () => {
  const once = definitionIn(entry('replaceJob', { schedule: { at: '2030-01-01T00:00:00Z' } }));

  assert.deepEqual([once.misfire, once.overlap], [undefined, undefined]);
});

test('what was refused, is unknown, cut off or no definition has none', () => {
  assert.equal(definitionIn(entry('submitJob', {}, 422)), null);
  assert.equal(definitionIn({ action: 'submitJob', detail: '{}' }), null);
  assert.equal(definitionIn({ action: 'submitJob', status: 201, detail: '{"schedule":{"cr' }), null);
  assert.equal(definitionIn({ action: 'submitJob', status: 201 }), null);
  assert.equal(definitionIn(entry('pauseJob', { reason: 'x' })), null);
});

const SECOND = 1_000;
const instant = (millis) => new Date(millis).toISOString();

/** An entry of the audit, and a version of a job, at a second. */
const asked = (second, action, detail, status = 200) => ({
  id: String(second),
  at: instant(second * SECOND),
  operator: 'ann',
  ...entry(action, detail, status),
});
const stored = (version, second, source, priority, more = {}) => ({
  version,
  at: instant(second * SECOND),
  source,
  by: source === 'OPERATOR' ? 'ann' : 'shop/client-1',
  definition: priority && { schedule: {}, priority },
  ...more,
});
const told = (rows) => rows.map(({ version, entry: of, before, definition }) => [version, of, before?.priority, definition?.priority]);

test('what an operator stored is one change, with who asked and what was stored', () => {
  const rows = changesOf(
    [stored(3, 31, 'CLIENT', 3), stored(2, 20, 'OPERATOR', 2), stored(1, 10, 'CLIENT', 1)],
    [asked(25, 'pauseJob', { reason: 'x' }), asked(19, 'replaceJob', { priority: 2 })],
    true,
  );

  assert.deepEqual(told(rows), [
    [3, undefined, 2, 3],
    [undefined, '25', undefined, undefined],
    [2, '19', 1, 2],
    [1, undefined, undefined, 1],
  ]);
  assert.deepEqual(rows.map(({ isFirst }) => isFirst), [false, false, false, true]);
});

test('a change that was refused, of another operator or of another time, has no version', () => {
  const versions = [stored(1, 100, 'OPERATOR', 1)];
  const others = [
    { ...asked(99, 'replaceJob', {}), operator: 'bob' },
    asked(99, 'replaceJob', {}, 412),
    asked(99, 'pauseJob', {}),
    asked(99, 'cancelJob', {}),
    asked(101, 'replaceJob', {}),
    asked(40, 'replaceJob', {}),
  ];

  for (const other of others) {
    assert.equal(changesOf(versions, [other], true).length, 2, JSON.stringify(other));
  }
  assert.equal(changesOf(versions, [asked(99, 'replaceJob', {})], true).length, 1);
});

test('a cancel is one change, and the version after it knows the one before it', () => {
  const rows = changesOf([stored(3, 30, 'CLIENT', 3), stored(2, 20, 'OPERATOR'), stored(1, 10, 'CLIENT', 1)], [asked(20, 'cancelJob')], true);

  assert.deepEqual(told(rows), [
    [3, undefined, 1, 3],
    [2, '20', undefined, undefined],
    [1, undefined, undefined, 1],
  ]);
});

test('an unrecorded version is told by the audit if that has it', () => {
  const versions = [stored(3, 30, 'CLIENT', 3), stored(2, 30, 'UNRECORDED', 2)];

  assert.deepEqual(told(changesOf(versions, [asked(20, 'replaceJob', { priority: 1 })], false)), [
    [3, undefined, 2, 3],
    [2, undefined, 1, 2],
    [undefined, '20', undefined, 1],
  ]);
  const definition = definitionIn(asked(20, 'replaceJob', { priority: 2 }));
  const same = [versions[0], { ...versions[1], definition }];
  assert.deepEqual(told(changesOf(same, [asked(20, 'replaceJob', { priority: 2 })], false)), [
    [3, undefined, 2, 3],
    [undefined, '20', undefined, 2],
  ]);
});

test('parameters that were not kept are not compared with those before or after', () => {
  const leftOut = { paramsLeftOut: true };
  const rows = changesOf([stored(3, 3, 'CLIENT', 3), stored(2, 2, 'CLIENT', 2, leftOut), stored(1, 1, 'CLIENT', 1)], [], true);

  assert.deepEqual(rows.map(({ paramsLeftOut }) => paramsLeftOut), [true, true, false]);
  assert.deepEqual(rows.map(({ isPartial }) => isPartial), [false, true, false]);
});

test('the oldest version is the first one only if there are no changes before it', () => {
  const entries = [asked(4, 'replaceJob', { priority: 2 }), asked(3, 'pauseJob', {}), asked(2, 'submitJob', { priority: 1 }), asked(1, 'pauseJob', {})];
  const areFirst = (isWhole) => changesOf([], entries, isWhole).map(({ isFirst }) => isFirst);

  assert.deepEqual(areFirst(true), [false, false, true, false]);
  assert.deepEqual(areFirst(false), [false, false, false, false]);
});

test('a page ends where versions or entries were not read any further', () => {
  const versions = [stored(3, 30, 'CLIENT', 3), stored(2, 20, 'CLIENT', 2)];
  const rows = changesOf(versions, [asked(25, 'pauseJob'), asked(5, 'pauseJob')], false);
  const shown = (ends, most) => told(pageOf(rows, ends, most).shown).map(([version, of]) => version ?? of);

  assert.deepEqual(shown({}, 9), [3, '25', 2, '5']);
  assert.deepEqual(shown({}, 2), [3, '25']);
  assert.deepEqual(shown({ versions: versions[1] }, 9), [3, '25']);
  assert.deepEqual(shown({ versions: versions[1], entries: rows[1] }, 9), [3]);
  assert.equal(pageOf(rows, {}, 9).isLast, true);
  assert.equal(pageOf(rows, {}, 3).isLast, false);
});
