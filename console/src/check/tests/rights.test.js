import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { areAbout, may, maySome } = await web('core/rights.js');

const ADMIN = { role: 'ADMIN' };
const OPERATOR = { role: 'OPERATE' };
const VIEWER = { role: 'VIEW' };
const SOME = { role: 'VIEW', operates: ['billing', 'orders-*'] };

test('names are exact, and beginnings are not, as for the tracker', () => {
  const patterns = ['orders', 'billing-*'];

  for (const group of ['orders', 'billing-', 'billing-eu']) {
    assert.ok(areAbout(patterns, group), group);
  }
  for (const group of ['', 'order', 'orders-eu', 'Orders', 'billing', 'Billing-eu', 'x-billing-eu', '*']) {
    assert.ok(!areAbout(patterns, group), group);
  }
});

test('a role is for all that is shown', () => {
  assert.deepEqual(
    [ADMIN, OPERATOR, VIEWER, null].map((session) => may(session, 'OPERATE', 'billing')),
    [true, true, false, false],
  );
  assert.deepEqual(
    [ADMIN, OPERATOR, VIEWER, null].map((session) => may(session, 'OPERATE')),
    [true, true, false, false],
  );
  assert.deepEqual(
    [ADMIN, OPERATOR, VIEWER, null].map((session) => maySome(session, 'OPERATE')),
    [true, true, false, false],
  );
});

test('a viewer may change what the token operates, and nothing that needs a higher role', () => {
  assert.deepEqual(
    ['billing', 'orders-eu', 'orders', 'reports', undefined].map((group) => may(SOME, 'OPERATE', group)),
    [true, true, false, false, false],
  );
  assert.deepEqual([maySome(SOME, 'OPERATE'), maySome(SOME, 'ADMIN'), may(SOME, 'ADMIN', 'billing')], [true, false, false]);
  assert.ok(may(SOME, 'VIEW', 'reports'));
});

test('the node groups of a viewer do not count with another role', () => {
  assert.ok(!may({ role: undefined, operates: ['billing'] }, 'OPERATE', 'billing'));
});
