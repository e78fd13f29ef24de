import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fresh } from './setup.js';

let clock;

beforeEach(async () => {
  clock = await fresh('core/clock.js');
});

/** How far ahead of the browser's the tracker's clock is taken to be. */
const ahead = () => Math.round((clock.now() - Date.now()) / 1_000);

test('the clock of the browser counts before the first answer', () => {
  assert.equal(ahead(), 0);
  assert.equal(clock.browserAhead(), 0);
});

test('an answer tells the time of the middle between question and answer', () => {
  clock.learn(1_060_000, 1_000_000, 1_010_000);

  assert.equal(ahead(), 55);
  assert.equal(clock.browserAhead(), -55_000);
});

test('the fastest answer counts, until one contradicts it', () => {
  clock.learn(1_060_000, 1_000_000, 1_000_100);
  clock.learn(2_062_000, 2_000_000, 2_008_000);
  assert.equal(ahead(), 60);

  clock.learn(3_001_000, 3_000_000, 3_008_000);
  assert.equal(ahead(), -3);
});

test('answers without a time, or from before their question, teach nothing', () => {
  clock.learn(NaN, 1_000_000, 1_000_100);
  clock.learn(1_060_000, 1_000_100, 1_000_000);

  assert.equal(ahead(), 0);
});

test('what a slow answer cannot tell is no warning', () => {
  clock.learn(1_012_000, 1_000_000, 1_008_000);

  assert.equal(ahead(), 8);
  assert.equal(clock.browserAhead(), 0);
});
