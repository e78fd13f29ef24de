import assert from 'node:assert/strict';
import { test } from 'node:test';
import { web } from './setup.js';

const { faultOf, typeOf } = await web('core/params-table.js');

test('a value has the type that it looks like', () => {
  const types = { true: 'boolean', True: 'text', '-1.5e3': 'number', '1,5': 'text', '0x10': 'text', '': 'text', '{"a":1}': 'json', ' [1]': 'json', '{a': 'text', 'a\nb': 'lines', '"a"': 'text' };
  for (const [value, type] of Object.entries(types)) {
    assert.equal(typeOf(value), type, value);
  }
});

const row = (name, value = '', type = 'text') => ({ name, value, type });

test('a row needs a name that no other has, unless it is empty', () => {
  const rows = [row(''), row('', 'x'), row('a'), row(' a '), row('b')];

  assert.deepEqual(rows.map((each) => faultOf(each, rows) !== null), [false, true, true, true, false]);
});

test('a value is what its type says', () => {
  const isWrong = (value, type) => faultOf(row('a', value, type), []) !== null;

  assert.deepEqual([isWrong('1', 'number'), isWrong('one', 'number'), isWrong('', 'number')], [false, true, true]);
  assert.deepEqual([isWrong('true', 'boolean'), isWrong('yes', 'boolean')], [false, true]);
  assert.deepEqual([isWrong('{}', 'json'), isWrong('{', 'json'), isWrong('a\nb', 'lines')], [false, true, false]);
});
