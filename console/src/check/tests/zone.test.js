import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { fresh, web } from './setup.js';

const zone = await web('core/zone.js');
const { fieldOf, instantOf } = await web('core/format.js');
const { lastNight } = await web('core/search.js');
const { learn } = await web('core/clock.js');

beforeEach(() => zone.chooseZone('job'));

test('the zone of the job is shown where there is one that is known', () => {
  zone.aboutZone('Europe/Berlin');
  assert.equal(zone.shownZone(), 'Europe/Berlin');

  for (const none of [undefined, 'Mars/Olympus']) {
    zone.aboutZone(none);
    assert.equal(zone.shownZone(), zone.browserZone);
  }
});

test('another choice does not ask for the job', () => {
  zone.aboutZone('Europe/Berlin');
  zone.chooseZone('utc');

  assert.equal(zone.shownZone(), 'UTC');
});

test('a choice that was kept and is none is that of the browser', async () => {
  localStorage.setItem('millrace.zone', 'moon');

  assert.equal((await fresh('core/zone.js')).chosenZone(), 'browser');
  localStorage.setItem('millrace.zone', 'utc');
  assert.equal((await fresh('core/zone.js')).chosenZone(), 'utc');
});

test('clocks that are set forward have a gap: what is in it is as long after it as it would have been without it', () => {
  zone.aboutZone('Europe/Berlin');

  assert.equal(instantOf('2030-03-31T01:59'), '2030-03-31T00:59:00.000Z');
  assert.equal(instantOf('2030-03-31T02:30'), '2030-03-31T01:30:00.000Z');
  assert.equal(instantOf('2030-03-31T03:00'), '2030-03-31T01:00:00.000Z');
});

test('of what clocks show twice, the first is meant', () => {
  zone.aboutZone('Europe/Berlin');

  assert.equal(instantOf('2030-10-27T02:30'), '2030-10-27T00:30:00.000Z');
  assert.equal(fieldOf('2030-10-27T00:30:00Z'), '2030-10-27T02:30:00');
  assert.equal(fieldOf('2030-10-27T01:30:00Z'), '2030-10-27T02:30:00');
});

test('half hours, the date line and years far off are read as they are written', () => {
  for (const name of ['Asia/Kathmandu', 'Pacific/Kiritimati', 'America/St_Johns', 'Pacific/Pago_Pago', 'UTC']) {
    zone.aboutZone(name);
    for (const local of ['1999-12-31T23:59:59', '2030-07-01T00:00:00', '2400-02-29T12:30:15']) {
      assert.equal(fieldOf(instantOf(local)), local, name);
    }
  }
});

test('clocks are looked at again where they change, and in another zone', () => {
  const at = Date.parse('2030-03-31T00:59:59.999Z');
  zone.aboutZone('Europe/Berlin');
  assert.equal(zone.localOf(at, 23), '2030-03-31T01:59:59.999');
  assert.equal(zone.localOf(at + 1, 23), '2030-03-31T03:00:00.000');

  zone.aboutZone('Asia/Kathmandu');
  assert.equal(zone.localOf(at + 1, 23), '2030-03-31T06:45:00.000');
  assert.equal(zone.localOf(at), '2030-03-31T06:44:59');
});

test('last night is that of the zone', () => {
  zone.aboutZone('Asia/Tokyo');
  const at = Date.parse('2030-01-01T20:00:00Z');
  learn(at, Date.now(), Date.now());

  assert.deepEqual(lastNight(), { from: '2030-01-01T09:00:00.000Z', to: '2030-01-01T23:00:00.000Z' });
});
