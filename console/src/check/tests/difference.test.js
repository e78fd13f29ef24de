import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { differences, fieldOf, told } = await web('core/difference.js');

const fields = (before, after, more) => differences(before, after, more).map(({ field }) => field);

test('fields that differ come in the order of their names, those of objects each for itself', () => {
  const before = { schedule: { cron: '@daily', zone: 'UTC' }, params: { a: '1', b: '2' }, priority: 100 };
  const after = { schedule: { cron: '@hourly', zone: 'UTC' }, params: { a: '1', c: '3' }, priority: 7 };

  assert.deepEqual(differences(before, after), [
    { field: 'params.b', was: '2', now: undefined },
    { field: 'params.c', was: undefined, now: '3' },
    { field: 'priority', was: 100, now: 7 },
    { field: 'schedule.cron', was: '@daily', now: '@hourly' },
  ]);
});

test('the same length and the same instant are no difference, written as they may be', () => {
  const before = { timeout: 'PT90S', schedule: { every: 'PT60M', at: '2030-01-01T00:00:00Z' } };
  const after = { timeout: 'PT1M30S', schedule: { every: 'PT1H', at: '2030-01-01T00:00:00.000Z' } };

  assert.deepEqual(fields(before, after), []);
});

test('a parameter is the text that it is', () => {
  assert.deepEqual(fields({ params: { a: 'PT90S' } }, { params: { a: 'PT1M30S' } }), ['params.a']);
});

test('what looks like a length and is none is compared as text', () => {
  assert.deepEqual(fields({ handler: 'Pay' }, { handler: 'Print' }), ['handler']);
  assert.deepEqual(fields({ handler: 'Pay' }, { handler: 'Pay' }), []);
});

test('nothing is the same as what says nothing', () => {
  assert.deepEqual(fields({ broadcast: false, on: [], shards: null }, {}), []);
  assert.deepEqual(fields(null, { on: ['gpu'] }), ['on']);
});

test('further fields are compared if they are named', () => {
  assert.deepEqual(fields({ state: 'ACTIVE' }, { state: 'PAUSED' }), []);
  assert.deepEqual(fields({ state: 'ACTIVE' }, { state: 'PAUSED' }, ['state']), ['state']);
  assert.equal(fieldOf({ schedule: { cron: '@daily' } }, 'schedule.cron'), '@daily');
});

test('values are told as text', () => {
  assert.deepEqual([undefined, null, false, [], 'x', 0, true, ['a', 'b']].map(told), ['–', '–', '–', '–', 'x', '0', 'true', '["a","b"]']);
});
