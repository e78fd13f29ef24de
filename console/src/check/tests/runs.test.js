import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { figuresOf, percentile, rateOf, spread } = await web('core/runs.js');

const run = (status, started, seconds, late = 0) => ({
  status,
  dueAt: '2030-01-01T00:00:00Z',
  startedAt: started ? `2030-01-01T00:00:0${late}Z` : undefined,
  finishedAt: `2030-01-01T00:00:0${late + seconds}Z`,
});

test('a percentile is one of the values', () => {
  assert.equal(percentile([], 50), null);
  assert.equal(percentile([7], 95), 7);
  assert.equal(percentile([40, 10, 30, 20], 50), 20);
  assert.equal(percentile([40, 10, 30, 20], 95), 40);
  assert.equal(percentile([100, 9], 50), 9);
});

test('what was skipped or cancelled says nothing of whether a job works', () => {
  const figures = figuresOf([run('SUCCEEDED', true, 2), run('FAILED', true, 4), run('SKIPPED', false, 0), run('CANCELLED', true, 1)]);

  assert.equal(figures.counted, 2);
  assert.equal(figures.rate, 0.5);
  assert.equal(figures.started, 3);
  assert.deepEqual(figures.ran, { p50: 2_000, p95: 4_000 });
});

test('without runs there are dashes', () => {
  const figures = figuresOf([run('SKIPPED', false, 0)]);

  assert.deepEqual([rateOf(figures), spread(figures.ran)], ['–', '–']);
});

test('a start before it was due, by clocks that differ, is no delay', () => {
  const early = { ...run('SUCCEEDED', true, 1), dueAt: '2030-01-01T00:00:09Z' };

  assert.deepEqual(figuresOf([early]).late, { p50: 0, p95: 0 });
});

test('figures read as people write them', () => {
  assert.equal(rateOf({ rate: 0.875 }), '88%');
  assert.equal(spread({ p50: 1_250, p95: 61_000 }), '1.2 s / 1 min 1 s');
});
