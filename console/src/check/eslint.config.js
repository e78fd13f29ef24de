/** Faults that reading overlooks; how the code looks is no concern of these rules. */

import js from '../../target/check/node_modules/@eslint/js/src/index.js';
import globals from '../../target/check/node_modules/globals/index.js';

const FAULTS = {
  'array-callback-return': 'error',
  eqeqeq: 'error',
  'no-constructor-return': 'error',
  'no-implicit-globals': 'error',
  'no-promise-executor-return': ['error', { allowVoid: true }],
  'no-self-compare': 'error',
  'no-template-curly-in-string': 'error',
  'no-throw-literal': 'error',
  'no-unmodified-loop-condition': 'error',
  'no-unreachable-loop': 'error',
  'no-unused-vars': ['error', { args: 'after-used', ignoreRestSiblings: true }],
  'no-use-before-define': ['error', { functions: false, classes: false, variables: false }],
  'no-var': 'error',
  'prefer-const': 'error',
  radix: 'error',

  // Names are searched for control characters.
  'no-control-regex': 'off',
};

export default [
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: 'error' }, rules: FAULTS },
  { files: ['src/main/**/*.js'], languageOptions: { ecmaVersion: 2024, globals: globals.browser } },
  { files: ['src/check/**/*.js'], languageOptions: { ecmaVersion: 2024, globals: globals.node } },
];
