import { descriptionRule } from './keywords.js';
import { describeRule } from './testing/rule-rows.js';

describeRule(descriptionRule, [
  ['any change is accepted', '"a"', '"b"', ''],
  ['so is removal', '"a"', '', ''],
]);
