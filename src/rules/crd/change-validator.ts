import { from } from '../source.js';
import { describeComparison } from './rule.js';

export const changeValidatorRule = describeComparison({
  id: 'ChangeValidator',
  checks:
    'A field changes in a version that both definitions have. The rules about enum, required, bounds, default and type say how, in that order; what none of them explains is refused as unknown.',
  why: 'What was accepted before may be refused afterwards.',
  instead: 'Add a version with the new schema, and keep the old one as it is.',
  source: from.operatorController417(
    'internal/operator-controller/rukpak/preflights/crdupgradesafety/validator.go',
    'ChangeValidator',
  ),
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: integer, maximum: 10 } }',
    says: 'version "v1", field "^.spec.size": maximum: constraint 10 added',
    accepted: 'properties: { size: { type: integer }, color: { type: string } }',
  },
});
