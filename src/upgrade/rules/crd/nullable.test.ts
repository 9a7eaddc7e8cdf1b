import { nullableRule } from './keywords.js';
import { describeRule } from './testing/rule-rows.js';

describeRule(nullableRule, [
  ['added', '', 'true', 'nullable added : false -> true'],
  ['removed', 'true', 'false', 'nullable removed : true -> false'],
  ['false is absent', '', 'false', ''],
]);
