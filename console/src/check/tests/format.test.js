import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf, web } from './setup.js';

const { instant, moment, percent, prettyJson, timeOfDay } = await web('core/format.js');
const { chooseZone } = await web('core/zone.js');
const { learn } = await web('core/clock.js');

chooseZone('utc');
learn(Date.parse('2030-01-01T12:00:00Z'), Date.now(), Date.now());

test('an instant of today has no date, and one of another day has', () => {
  assert.equal(textOf(instant('2030-01-01T03:04:05.678Z')), '03:04:05.678');
  assert.equal(textOf(instant('2029-12-31T23:04:05.678Z', { millis: false })), 'Dec 31, 2029, 23:04:05');
  assert.equal(instant(undefined), '–');
});

test('midnight is 00:00, never 24:00', () => {
  assert.equal(timeOfDay('2030-01-01T00:00:00Z'), '00:00');
  assert.equal(moment('2030-01-01T00:00:00Z'), 'Jan 1, 2030, 00:00:00');
});

test('a part is a percentage', () => {
  assert.deepEqual([0, 0.005, 1].map(percent), ['0%', '1%', '100%']);
});

test('values alone, and empty ones within others, stay on their line', () => {
  assert.deepEqual(['""', 'null', '[]', '-1.50'].map(prettyJson), ['""', 'null', '[]', '-1.50']);
  assert.equal(prettyJson('[[],{"a":{}}]'), '[\n  [],\n  {\n    "a": {}\n  }\n]');
});
