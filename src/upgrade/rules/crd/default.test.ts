import { defaultRule } from './keywords.js';
import { describeRule } from './testing/rule-rows.js';

const added = (value: string) => ({
  'olm-v1': `default value ${value} added when there was no default previously`,
  crdify: `default added when there was none previously : ${value}`,
});
const changed = (from: string, to: string) => ({
  'olm-v1': `default value changed from ${from} to ${to}`,
  crdify: `default value changed : ${from} -> ${to}`,
});

describeRule(defaultRule, [
  ['added', '', '"x"', added(String.raw`"\"x\""`)],
  ['added, false', '', 'false', added('"false"')],
  ['added, empty', '', '{}', added('"{}"')],
  [
    'removed',
    '1',
    '',
    { 'olm-v1': 'default value "1" removed', crdify: 'default value removed : "1"' },
  ],
  ['changed', '1', '2', changed('"1"', '"2"')],
  ['another type of the same text', '1', '"1"', changed('"1"', String.raw`"\"1\""`)],
  ['null is no default', 'null', '', ''],
  ['keys in another order', '{"a": 1, "b": 2}', '{"b": 2, "a": 1}', ''],
  ['lists in another order', '[1, 2]', '[2, 1]', changed('"[1,2]"', '"[2,1]"')],
  ['the same number', '1.0', '1', ''],
  [
    'escaped as Go does',
    '',
    String.raw`"<\n\u2028>"`,
    added(String.raw`"\"\\u003c\\n\\u2028\\u003e\""`),
  ],
]);
