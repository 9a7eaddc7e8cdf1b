import { from } from '../../../rule/index.js';
import { describeComparison } from './rule.js';

export const changeValidatorRule = describeComparison({
  id: 'ChangeValidator',
  checks:
    'A field changes in a version that both definitions have. Refused by the rules enum, required, minimum to maxItems, default and type, in that order: an enum where there was none or an enum value that goes, a field that becomes required, a lower bound that is new or rises, an upper bound that is new or falls, a default that comes, goes or changes, another type. Any other change, of a description too, is refused as unknown. Allowed: more enum values, a field that becomes optional, a bound that widens or goes, new fields.',
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
