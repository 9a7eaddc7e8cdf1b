/** Fields that no definition has. Strict decoding drops those below `items` and `additionalProperties` without a report. */
import type { Operation } from 'fast-json-patch';
import { type Finding, foundAt, referenceTo } from '../../../rule/index.js';
import { isObject, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { formatPointer } from '../../../text/json-pointer.js';
import { addTo } from '../../../text/group.js';
import { nearest } from '../../../text/nearest.js';
import { type Kind, keywordKinds } from '../../crd/keywords.js';
import { renamed } from '../objects/fixes.js';
import { unknownDefinitionField } from './rules.js';

/** The fields of an object, or of each object of a list; `*` is any name, null is any value. */
interface Fields {
  readonly [name: string]: Fields | null;
}

const named = (names: string): Fields =>
  Object.fromEntries(names.split(' ').map((name) => [name, null]));

const schema: Record<string, Fields | null> = {};
for (const [keyword, kind] of keywordKinds) schema[keyword] = fieldsOf(kind);

function fieldsOf(kind: Kind): Fields | null {
  if (kind === 'schema-map' || kind === 'dependencies') return { '*': schema };
  if (kind.startsWith('schema')) return schema;
  if (kind === 'documentation') return named('description url');
  if (kind !== 'validations') return null;
  return named('rule message messageExpression reason fieldPath optionalOldSelf');
}

const names = named('plural singular shortNames kind listKind categories');
const condition = 'type status lastTransitionTime reason message observedGeneration';
const ofDefinition: Fields = {
  ...named('apiVersion kind'),
  metadata: {
    ...named(
      'name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations finalizers',
    ),
    ownerReferences: named('apiVersion kind name uid controller blockOwnerDeletion'),
    managedFields: named('manager operation apiVersion time fieldsType fieldsV1 subresource'),
  },
  spec: {
    ...named('group scope preserveUnknownFields'),
    names,
    versions: {
      ...named('name served storage deprecated deprecationWarning'),
      schema: { openAPIV3Schema: schema },
      subresources: {
        status: null,
        scale: named('specReplicasPath statusReplicasPath labelSelectorPath'),
      },
      additionalPrinterColumns: named('name type format description priority jsonPath'),
      selectableFields: named('jsonPath'),
    },
    conversion: {
      strategy: null,
      webhook: {
        clientConfig: { ...named('url caBundle'), service: named('namespace name path port') },
        conversionReviewVersions: null,
      },
    },
  },
  status: {
    ...named('storedVersions observedGeneration'),
    conditions: named(condition),
    acceptedNames: names,
  },
};

type Keys = readonly (string | number)[];

interface UnknownField {
  readonly keys: Keys;
  readonly known: Fields;
}

function* unknownFields(value: JsonValue, known: Fields, keys: Keys): Generator<UnknownField> {
  const items = Array.isArray(value) ? [...value.entries()] : [[undefined, value] as const];
  for (const [index, item] of items) {
    if (!isObject(item)) continue;
    const at = index === undefined ? keys : [...keys, index];
    for (const key of Object.keys(item)) {
      const next = Object.hasOwn(known, key) ? known[key] : known['*'];
      const below = [...at, key];
      if (next === undefined) yield { keys: below, known };
      else if (next !== null) yield* unknownFields(item[key] as JsonValue, next, below);
    }
  }
}

const mostReported = 100;

function grouped(definition: JsonObject): [UnknownField, ...UnknownField[]][] {
  const groups = new Map<string, [UnknownField, ...UnknownField[]]>();
  for (const found of unknownFields(definition, ofDefinition, [])) {
    if (groups.size > mostReported) break;
    const { keys } = found;
    const place = JSON.stringify(keys[1] === 'versions' && keys.length > 3 ? keys.slice(3) : keys);
    addTo(groups, place, found);
  }
  return [...groups.values()];
}

export function unknownFieldFindings(definition: JsonObject): Finding[] {
  const object = referenceTo(definition);
  return grouped(definition).map(([{ keys, known }, ...others], index) => {
    if (index >= mostReported) return unknownDefinitionField.finding({ id: 'more', object });
    const meant = nearest(String(keys.at(-1)), Object.keys(known));
    const field = formatField(keys);
    const moves = [keys, ...others.map((each) => each.keys)].map((from): Operation | undefined => {
      const path = formatPointer([...from.slice(0, -1), meant ?? '']);
      return renamed(definition, from, meant) && { op: 'move', from: formatPointer(from), path };
    });
    return unknownDefinitionField.finding({
      id: 'unknown',
      data: {
        field,
        meant: meant === undefined ? '' : ` (did you mean "${meant}"?)`,
        versions: others.length === 0 ? '' : ` (and in ${others.length} more versions)`,
      },
      object,
      path: field,
      [foundAt]: { side: 'new', keys },
      ...(moves.includes(undefined) ? {} : { fix: moves }),
    });
  });
}

/** As the API server writes it: `spec.versions[0].schema`. */
function formatField(keys: Keys): string {
  const steps = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  return steps.join('').slice(1);
}
