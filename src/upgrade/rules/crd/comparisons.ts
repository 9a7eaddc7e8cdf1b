import { from, oneVersion, sameInBothVersions, twoVersions, sources } from '../../../rule/index.js';
import { describeComparison, olmValidator } from './rule.js';

export const servedVersionValidatorRule = describeComparison({
  id: 'ServedVersionValidator',
  checks:
    'Two served versions of the new definition differ, and no webhook converts between them. The rules about fields compare the older version with the newer.',
  why: 'An object written through one version is read, and checked, through the other.',
  instead:
    'Serve versions whose schemas accept the same objects, or convert between them by a webhook.',
  source: olmValidator('ServedVersionValidator'),
  example: {
    before: oneVersion,
    after: twoVersions('string'),
    says: 'version upgrade "v1" to "v2", field "^.spec.size": type changed from "integer" to "string"',
    accepted: sameInBothVersions,
  },
});

export const changeValidatorRule = describeComparison({
  id: 'ChangeValidator',
  checks:
    'A field changes in a version that both definitions have. Refused by the rules enum, required, minimum to maxItems, default and type, in that order: an enum where there was none or an enum value that goes, a field that becomes required, a lower bound that is new or rises, an upper bound that is new or falls, a default that comes, goes or changes, another type. Any other change, of a description too, is refused as unknown. Allowed: more enum values, a field that becomes optional, a bound that widens or goes, new fields.',
  why: 'What was accepted before may be refused afterwards.',
  instead: 'Add a version with the new schema, and keep the old one as it is.',
  source: olmValidator('ChangeValidator'),
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: integer, maximum: 10 } }',
    says: 'version "v1", field "^.spec.size": maximum: constraint 10 added',
    accepted: 'properties: { size: { type: integer }, color: { type: string } }',
  },
});

export const unhandledRule = describeComparison({
  id: 'unhandled',
  checks:
    'A field differs in a keyword that no rule of crdify knows, such as its CEL rules (x-kubernetes-validations).',
  why: 'No rule here is about this kind of change, so its effect on stored objects is unknown.',
  instead: 'See what profile proof says about it: olm-guard check crd OLD NEW --profile proof.',
  source: from.crdify('pkg/validations/compare.go', 'CompareProperties', 'checkUnhandled'),
  example: {
    before: 'properties: { size: { type: integer } }',
    after:
      'properties: { size: { type: integer, x-kubernetes-validations: [{ rule: self > 0 }] } }',
    says: 'v1: ^.spec.size: unhandled',
  },
});

export const proof = describeComparison({
  id: 'Proof',
  checks:
    'Whether every object that the old schema accepts passes the new one and keeps its data, as the API server prunes, defaults and validates.',
  why: 'breaking: the witness is accepted today and refused after the upgrade; stored says which writes of it are accepted: create, update and status, each accepted, ratcheted (as long as the named place stays as it is) or refused. data-loss: values of the witness are lost. behavior: an unchanged manifest comes to mean something else. undecided: neither an object nor a proof was found, and the reason says what stopped it.',
  instead:
    'olm-guard check crd OLD NEW --fix FILE writes the new definition changed so that no object breaks.',
  source: sources(
    from.apiextensions('pkg/apiserver/schema/pruning/algorithm.go'),
    from.apiextensions('pkg/apiserver/validation/validation.go'),
  ),
  messages: {
    breaking: '{where}breaks objects: {reason}{note}',
    dataLoss: '{where}loses data: {reason}{note}',
    undecided: '{where}undecided: {reason}{note}',
    behavior: '{where}changes behavior: {reason}{note}',
    safe: '{where}breaks no object: {reason}{note}',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: integer, maximum: 10 } }',
    says: 'version "v1", field "^.spec.size": breaks objects: the maximum is new: 10',
    accepted: 'properties: { size: { type: integer }, color: { type: string } }',
  },
});

export const unreadableObject = describeComparison({
  id: 'UnreadableObject',
  checks:
    'Something in the object, or in the stored one, that no rule can read, although the API server took it.',
  why: 'What cannot be read cannot be compared, and a change that breaks something could stand beside it.',
  instead:
    'Write that part as the API has it; where it is as it should be, tell us, and switch the check off for this object.',
  source: from.us('docs/threat-model.md'),
  messages: {
    unreadable: '{problem}',
    failed: 'olm-guard failed while judging it; its log says how',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: 7 }',
    says: 'in the field ^.spec.size, must be an object',
    accepted: 'properties: { size: { type: integer, maxLength: 7 } }',
  },
});
