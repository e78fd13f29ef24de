import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { gridOf } = await web('pages/week.js');
const { aboutZone, chooseZone } = await web('core/zone.js');

const point = (at, succeeded) => ({ at: new Date(at).toISOString(), happened: { succeeded } });

aboutZone('Europe/Berlin');
chooseZone('job');

test('the days are whole up to now, and each hour has its counts', () => {
  const at = Date.UTC(2030, 0, 10, 9, 30);
  const cells = gridOf([point(Date.UTC(2030, 0, 10, 8), '7')], 7, at);

  assert.equal(cells.size, 6 * 24 + 11);
  assert.deepEqual([...cells.keys()].slice(0, 1), ['2030-01-04T00']);
  assert.deepEqual(cells.get('2030-01-10T09'), { from: Date.UTC(2030, 0, 10, 8), to: Date.UTC(2030, 0, 10, 9), parts: [{ succeeded: '7' }] });
  assert.deepEqual(cells.get('2030-01-10T10').parts, []);
});

test('an hour that clocks leave out has no cell', () => {
  const cells = gridOf([], 7, Date.UTC(2030, 2, 31, 12));

  assert.equal(cells.has('2030-03-31T01') && cells.has('2030-03-31T03'), true);
  assert.equal(cells.has('2030-03-31T02'), false);
});

test('an hour that clocks show twice has one cell for both', () => {
  const first = Date.UTC(2030, 9, 27, 0);
  const cells = gridOf([point(first, '1'), point(first + 3_600_000, '2')], 7, Date.UTC(2030, 9, 27, 12));
  const { from, to, parts } = cells.get('2030-10-27T02');

  assert.deepEqual([from, to, parts.map(({ succeeded }) => succeeded)], [first, first + 7_200_000, ['1', '2']]);
});
