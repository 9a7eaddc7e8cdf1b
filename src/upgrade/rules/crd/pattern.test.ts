import { patternRule } from './keywords.js';
import { describeRule } from './testing/rule-rows.js';

describeRule(patternRule, [
  ['added', '', '"^a$"', 'pattern added : "" -> "^a$"'],
  ['removed', '"^a$"', '', 'pattern removed : "^a$" -> ""'],
  ['changed', '"^a$"', String.raw`"^\\d$"`, String.raw`pattern changed : "^a$" -> "^\\d$"`],
  ['empty is none', '""', '', ''],
]);
