import { defineRefusalRule, validation } from './rule.js';

export const celCost = defineRefusalRule({
  id: 'CelCost',
  checks: 'A validation rule that can cost more than a server spends on it.',
  why: 'The server estimates the cost from maxItems, maxProperties and maxLength before it takes the definition; where a list or string has none, the largest that fits a request counts.',
  instead: 'Bound the lists, maps and strings that the rule goes through, and the lists around it.',
  source: validation('getCostErrorMessage'),
  messages: { near: '{field}: near its limit: {cost} (Kubernetes {minors})' },
  example: {
    after:
      "{ properties: { routes: { type: array, items: { type: string } } }, x-kubernetes-validations: [{ rule: 'self.routes.all(a, self.routes.exists(b, a == b))' }] }",
    says: 'exceeds budget by factor of',
    accepted:
      "{ properties: { routes: { type: array, maxItems: 10, items: { type: string, maxLength: 63 } } }, x-kubernetes-validations: [{ rule: 'self.routes.all(a, self.routes.exists(b, a == b))' }] }",
  },
  covers: ({ field, type }) =>
    type === 'FieldValueForbidden' &&
    /(?:x-kubernetes-validations\[\d+\]\.(?:rule|messageExpression)|openAPIV3Schema)$/.test(field),
});
