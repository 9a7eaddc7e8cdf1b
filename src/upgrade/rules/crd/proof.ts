import { from, sources } from '../../../rule/index.js';
import { describeComparison } from './rule.js';

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
