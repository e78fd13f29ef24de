import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { labelled } = await web('core/chart.js');

const from = (first, count, step) =>
  Array.from({ length: count }, (_, i) => first + i * step).map(
    (minute) => `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
  );

const shown = (labels, most) => labelled(labels, most).map((i) => labels[i]);

test('labels stand at round times, even if the first point is at another one', () => {
  const hour = from(10 * 60 + 37, 60, 1);

  assert.deepEqual(shown(hour, 5), ['10:45', '11:00', '11:15', '11:30']);
  assert.deepEqual(shown(hour, 2), ['11:00', '11:30']);
  assert.deepEqual(shown(hour, 1), ['11:00']);
});

test('a day has labels at whole hours', () => {
  const day = from(23 * 60 + 45, 96, 15);

  assert.deepEqual(shown(day, 8), ['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00']);
});

test('a few labels are all shown', () => {
  assert.deepEqual(shown(['10:37', '10:38'], 5), ['10:37', '10:38']);
});
