import { enumRule } from './keywords.js';
import { describeRule } from './testing/rule-rows.js';

const added = (values: string) => ({
  'olm-v1': `enum constraints ${values} added when there were no restrictions previously`,
  crdify: `enum constraint added when there was none previously : ${values}`,
});
const removed = (values: string) => ({
  'olm-v1': `enums ${values} removed from the set of previously allowed values`,
  crdify: `allowed enum values removed : ${values}`,
});

describeRule(enumRule, [
  ['values where there were none', '', '["b", "a"]', added('["a" "b"]')],
  ['an empty list is none', '[]', '["a"]', added('["a"]')],
  ['null is no list', 'null', '["a"]', added('["a"]')],
  ['a null among the values prints as nothing', '', '[null, 1]', added('[ 1]')],
  ['a value removed', '["a", "b"]', '["b"]', removed('["a"]')],
  ['all values removed', '["a", "b"]', '[]', removed('["a" "b"]')],
  ['the list removed', '["a"]', '', removed('["a"]')],
  ['removed beside added', '["a"]', '["b"]', removed('["a"]')],
  ['a value added', '["a"]', '["a", "b"]', ''],
  ['another order', '["a", "b"]', '["b", "a"]', ''],
  ['the same value twice', '["a"]', '["a", "a"]', ''],
  ['numbers by value', '[1.0]', '[1]', ''],
  [
    'beyond 53 bits by every digit',
    '[9007199254740993]',
    '[9007199254740992]',
    removed('[9007199254740993]'),
  ],
  ['objects with sorted keys', '[{"b": 1, "a": 2}]', '[{"a": 2, "b": 1}]', ''],
  ['escaped as Go does', '', '["<é>&"]', added('["\\u003cé\\u003e\\u0026"]')],
  ['sorted by bytes', '', '["\u{1F600}", "\uffff"]', added('["\uffff" "\u{1F600}"]')],
]);
