/** For each rule about CustomResourceDefinitions: a pair that it refuses, and what to do instead. */
import type { JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../finding.js';

export interface RuleExample {
  /** What matters of both definitions: the schema of `spec`, or a part of the definition's own spec. */
  readonly of: 'schema' | 'definition';
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** How the same is had without harm. */
  readonly instead: string;
}

const field = (schema: JsonObject): JsonObject => ({
  type: 'object',
  properties: { size: schema },
});
const integer = { type: 'integer' };
const string = { type: 'string' };
const list = { type: 'array', items: string };
const map = { type: 'object', additionalProperties: string };

function schemas(old: JsonObject, next: JsonObject, instead: string): RuleExample {
  return { of: 'schema', old: field(old), new: field(next), instead };
}

const bound =
  'Keep the bound in this version and add a version with the new one; or have the operator refuse new values itself, and say so in its status, until all stored objects are within it.';

const tightened: RuleExample = schemas(integer, { ...integer, maximum: 10 }, bound);

/** By the names that findings carry. */
export const ruleExamples: ReadonlyMap<string, RuleExample> = new Map([
  [
    'scope',
    {
      of: 'definition',
      old: { scope: 'Namespaced' },
      new: { scope: 'Cluster' },
      instead: 'Ship a definition with another name, and move the objects there.',
    },
  ],
  [
    'storedVersionRemoval',
    {
      of: 'definition',
      old: { versions: ['v1alpha1', 'v1'] },
      new: { versions: ['v1'] },
      instead:
        'Stop serving the old version first. Remove it one release after every object was written again and status.storedVersions no longer names it.',
    },
  ],
  [
    'existingFieldRemoval',
    {
      of: 'schema',
      old: field(integer),
      new: { type: 'object', properties: {} },
      instead:
        'Keep the field, say in its description that it is ignored, and remove it only in a new version.',
    },
  ],
  [
    'enum',
    schemas(
      { ...string, enum: ['small', 'large'] },
      { ...string, enum: ['large'] },
      'Keep the value and treat it as another one; add values freely.',
    ),
  ],
  [
    'required',
    {
      of: 'schema',
      old: field(integer),
      new: { ...field(integer), required: ['size'] },
      instead:
        'Give the field a default in the same release, or let the operator fill in what is missing.',
    },
  ],
  ['maximum', tightened],
  ['maxItems', schemas(list, { ...list, maxItems: 1 }, bound)],
  ['maxLength', schemas(string, { ...string, maxLength: 3 }, bound)],
  ['maxProperties', schemas(map, { ...map, maxProperties: 1 }, bound)],
  ['minimum', schemas(integer, { ...integer, minimum: 1 }, bound)],
  ['minItems', schemas(list, { ...list, minItems: 1 }, bound)],
  ['minLength', schemas(string, { ...string, minLength: 1 }, bound)],
  ['minProperties', schemas(map, { ...map, minProperties: 1 }, bound)],
  [
    'default',
    schemas(
      { ...integer, default: 1 },
      { ...integer, default: 3 },
      'Leave the default as it is, and let the operator choose the value where the field is absent.',
    ),
  ],
  [
    'type',
    schemas(
      integer,
      string,
      'Add a field of the new type beside the old one; where both forms are wanted, x-kubernetes-int-or-string.',
    ),
  ],
  [
    'nullable',
    schemas({ ...list, items: { ...string, nullable: true } }, list, 'Leave nullable as it is.'),
  ],
  [
    'pattern',
    schemas(
      string,
      { ...string, pattern: '^[a-z]+$' },
      'Widen a pattern freely; put a narrower one into a new version.',
    ),
  ],
  [
    'description',
    schemas(string, { ...string, description: 'In words.' }, 'Nothing: it is accepted.'),
  ],
  ['ChangeValidator', tightened],
  [
    'ServedVersionValidator',
    {
      of: 'definition',
      old: { versions: ['v1'] },
      new: { versions: ['v1', 'v2'] },
      instead:
        'Serve versions whose schemas accept the same objects, or convert between them by a webhook.',
    },
  ],
  [
    'unhandled',
    schemas(
      integer,
      { ...integer, multipleOf: 2 },
      'Ask profile proof what the change does: olm-guard check crd OLD NEW --profile proof.',
    ),
  ],
  ['Proof', tightened],
]);

/** The names of profile `olm-v1` for rules about the definition as a whole. */
const wholeDefinition: ReadonlyMap<string, string> = new Map([
  ['NoScopeChange', 'scope'],
  ['NoStoredVersionRemoved', 'storedVersionRemoval'],
]);

/** In words, the way out of what no change of a schema mends; undefined for all other rules. */
export function wayOut(rule: string): string | undefined {
  const example = ruleExamples.get(wholeDefinition.get(rule) ?? rule);
  return example?.of === 'definition' ? example.instead : undefined;
}

/** A finding with {@link wayOut} as its fix, where it has none. */
export function withWayOut(finding: Finding): Finding {
  const fix = finding.fix ?? wayOut(finding.rule);
  return fix === undefined ? finding : { ...finding, fix };
}
