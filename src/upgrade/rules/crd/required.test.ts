import { requiredRule } from './keywords.js';
import { describeRule } from './testing/rule-rows.js';

const added = (names: string) => ({
  'olm-v1': `new required fields added: ${names}`,
  crdify: `new required fields: ${names}`,
});

describeRule(requiredRule, [
  ['a field where none was required', '', '["a"]', added('[a]')],
  ['one field more', '["a"]', '["b", "a"]', added('[b]')],
  ['several, sorted', '[]', '["b", "a"]', added('[a b]')],
  ['another field instead', '["a"]', '["b"]', added('[b]')],
  [
    'a field named __proto__',
    '["constructor"]',
    '["__proto__", "constructor"]',
    added('[__proto__]'),
  ],
  ['no longer required', '["a"]', '[]', ''],
  ['the list removed', '["a"]', '', ''],
  ['another order', '["a", "b"]', '["b", "a"]', ''],
]);
