import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { definitionIn, withVersions } = await web('core/versions.js');

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

test('each version knows the one before it, also with other changes between them', () => {
  const versions = withVersions([entry('replaceJob', { priority: 2 }), entry('pauseJob', {}), entry('replaceJob', {}, 412), entry('submitJob', { priority: 1 })], true);

  assert.deepEqual(versions.map(({ before }) => before?.priority), [1, undefined, undefined, undefined]);
  assert.deepEqual(versions.map(({ definition }) => definition?.priority), [2, undefined, undefined, 1]);
});

test('the oldest version is the first one only if there are no entries before it', () => {
  const entries = [entry('replaceJob', { priority: 2 }), entry('pauseJob', {}), entry('submitJob', { priority: 1 }), entry('pauseJob', {})];
  const areFirst = (isWhole) => withVersions(entries, isWhole).map(({ isFirst }) => isFirst);

  assert.deepEqual(areFirst(true), [false, false, true, false]);
  assert.deepEqual(areFirst(false), [false, false, false, false]);
});
