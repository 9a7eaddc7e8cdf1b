import { from } from '../../../rule/index.js';
import { defineRefusalRule } from './rule.js';

export const celCompile = defineRefusalRule({
  id: 'CelCompile',
  checks: 'A validation rule or message that a server cannot compile.',
  why: 'Fields that are not declared, types that do not match, and functions that came with a later minor: an older cluster refuses what a newer one takes.',
  instead: 'Use what the oldest cluster knows, and declare the fields that the rule reads.',
  source: from.apiextensions('pkg/apiserver/schema/cel/compilation.go', 'compileRule'),
  example: {
    after:
      '{ properties: { size: { type: integer } }, x-kubernetes-validations: [{ rule: self.sise > 0 }] }',
    says: "undefined field 'sise'",
    accepted:
      '{ properties: { size: { type: integer } }, x-kubernetes-validations: [{ rule: self.size > 0 }] }',
  },
  covers: ({ field }) =>
    /x-kubernetes-validations(?:\[\d+\]\.(?:rule|messageExpression))?$/.test(field),
});
