import { descriptionRule } from './description.js';
import { describeRule } from './rule-rows.test.js';

describeRule(descriptionRule, [
  ['any change is accepted', '"a"', '"b"', ''],
  ['so is removal', '"a"', '', ''],
]);
