import { from } from '../../../rule/index.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { pinFields, pinValue, type Pin } from '../../proof/pin.js';
import { applyRequest, exampleObject } from './requests.js';
import { holdsMergedList, isInsideAtomic } from './inside-atomic.js';
import { defineContractRule, type ContractDifference, type ContractPair } from './rule.js';
import { textOf } from './subresources.js';

export const mapTypeChanged = defineContractRule({
  id: 'MapTypeChanged',
  audience: 'apply',
  severity: 'error',
  fields: ['schema.x-kubernetes-map-type'],
  checks: 'How server-side apply merges an object changes: x-kubernetes-map-type.',
  why: 'From granular to atomic, two appliers that each had some of the fields conflict. The other way, fields that an applier replaced with the whole are merged, and stay.',
  otherwise: 'Apply failed with 1 conflict: conflict with "other": .spec.selector',
  instead: 'Keep the object as it is, and add another one beside it.',
  source: from.kubernetesPages('Server-Side Apply'),
  messages: {
    default: 'granular is the default map type',
    insideAtomic: 'the map type changes from {before} to {after}, inside what is atomic as a whole',
    conflict: 'the map type changes from {before} to {after}: appliers that shared it conflict',
    listsToo:
      'the map type changes from {before} to {after}: appliers that shared it, or a list inside it, conflict',
    merged:
      'the map type changes from {before} to {after}: fields of several appliers are merged, and no longer replaced',
  },
  example: {
    before:
      'properties: { access: { type: object, properties: { users: { type: array, x-kubernetes-list-type: set, items: { type: string } } } } }',
    after:
      'properties: { access: { type: object, x-kubernetes-map-type: atomic, properties: { users: { type: array, x-kubernetes-list-type: set, items: { type: string } } } } }',
    says: 'the map type changes from granular to atomic',
  },
  *compare(pair) {
    for (const changed of pair.changed) {
      const { new: version, field } = changed;
      if (!field.keywords.has('x-kubernetes-map-type')) continue;
      const [before, after] = [field.old, field.new].map(
        (schema) => textOf(schema, 'x-kubernetes-map-type') || 'granular',
      ) as [string, string];
      const common = {
        version: version.name,
        path: field.path,
        place: { side: 'new', version: version.index, spot: field.spot } as const,
      };
      if (before === after) {
        yield { ...common, id: 'default', isHarmless: true };
        continue;
      }
      const data = { before, after };
      if (isInsideAtomic(changed, field.spot)) {
        yield { ...common, id: 'insideAtomic', data, isHarmless: true };
        continue;
      }
      const takesLists = after === 'atomic' && holdsMergedList(field.old);
      yield {
        ...common,
        id: takesLists ? 'listsToo' : after === 'atomic' ? 'conflict' : 'merged',
        data,
        ...(takesLists ? {} : { isMild: true }),
        ...shown(pair, version.name, field, before === 'atomic'),
      };
    }
  },
});

function shown(
  { old, sample }: ContractPair,
  version: string,
  field: ContractPair['changed'][number]['field'],
  wasAtomic: boolean,
): Pick<ContractDifference, 'request' | 'witness'> {
  if (sample === undefined) return {};
  const conflict = { status: 409, reason: 'Conflict' } as const;
  const applied = { status: 200 } as const;
  const [one, two] = halves(field.old).map((pin) => sample(version, { field, pin }));
  if (one === undefined || two === undefined) return {};
  const answers = wasAtomic
    ? { before: conflict, after: applied }
    : { before: applied, after: conflict };
  return {
    witness: exampleObject(old, version, one),
    request: applyRequest(old, version, exampleObject(old, version, two), answers),
  };
}

function halves(schema: JsonObject): Pin[] {
  const properties = own(schema, 'properties');
  const names = isObject(properties ?? null) ? Object.keys(properties as JsonObject) : [];
  const [left, right] = names;
  if (left !== undefined && right !== undefined) {
    return [pinFields([left, { kind: 'ordinary' }]), pinFields([right, { kind: 'ordinary' }])];
  }
  const others = own(schema, 'additionalProperties');
  const value: JsonValue = sampleOf(isObject(others ?? null) ? (others as JsonObject) : {});
  return [pinFields(['a', pinValue(value)]), pinFields(['b', pinValue(value)])];
}

function sampleOf(schema: JsonObject): JsonValue {
  switch (textOf(schema, 'type')) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'object':
      return {};
    case 'array':
      return [];
    default:
      return 'a';
  }
}
