import { describeRule } from './testing/rule-rows.js';
import { typeRule } from './keywords.js';

const changed = (from: string, to: string) => ({
  'olm-v1': `type changed from ${from} to ${to}`,
  crdify: `type changed : ${from} -> ${to}`,
});

describeRule(typeRule, [
  ['changed', '"string"', '"integer"', changed('"string"', '"integer"')],
  ['removed', '"string"', '', changed('"string"', '""')],
  ['added', '', '"string"', changed('""', '"string"')],
  ['integer to number is a change too', '"integer"', '"number"', changed('"integer"', '"number"')],
  ['the same', '"string"', '"string"', ''],
  ['empty is none', '""', '', ''],
]);
