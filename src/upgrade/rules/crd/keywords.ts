import { from, sources } from '../../../rule/index.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import {
  readJsonList,
  readTextList,
  readJson,
  readText,
  readFlag,
  readList,
  readSchema,
} from '../../crd/typed-values.js';
import { compareBytes, formatList, quote } from '../../../text/go/index.js';
import { definePropertyRule, olmCheck } from './rule.js';
import { TypedText } from '../../crd/typed-text.js';
import { ComparedSides } from './compared-sides.js';

/** Values as canonical JSON: compared, sorted and printed as such. */
const enumValues = (schema: JsonObject): Set<string> => new Set(readJsonList(own(schema, 'enum')));

/** The configuration with which OLM v1 runs crdify. */
const ofOlm = { additionPolicy: 'Allow' } as const;

export const enumRule = definePropertyRule({
  id: 'enum',
  keyword: 'enum',
  checks: 'A field gets a list of allowed values, or loses values from the list it has.',
  why: 'Stored objects with another value are refused when they are created or restored, and when they are updated at that place; before Kubernetes 1.30, at every update.',
  instead: 'Keep the value and treat it as another one; add values freely.',
  source: sources(olmCheck('Enum'), from.crdify('pkg/validations/property/enum.go')),
  example: {
    before: 'properties: { size: { type: string, enum: [small, large] } }',
    after: 'properties: { size: { type: string, enum: [large] } }',
    says: 'allowed enum values removed : ["small"]',
    accepted: 'properties: { size: { type: string, enum: [small, large, huge] } }',
  },
  compare(old, next, _sides, options) {
    const before = enumValues(old);
    const after = enumValues(next);
    if (before.size === 0) {
      if (after.size === 0) return undefined;
      const added = formatList([...after].sort(compareBytes));
      return {
        'olm-v1': `enum constraints ${added} added when there were no restrictions previously`,
        crdify: `enum constraint added when there was none previously : ${added}`,
      };
    }
    const gone = [...before].filter((value) => !after.has(value)).sort(compareBytes);
    if (gone.length === 0) {
      const added = [...after].filter((value) => !before.has(value)).sort(compareBytes);
      const isAllowed = (options?.enum ?? ofOlm).additionPolicy === 'Allow';
      return added.length > 0 && !isAllowed
        ? { crdify: `allowed enum values added : ${formatList(added)}` }
        : undefined;
    }
    const removed = formatList(gone);
    return {
      'olm-v1': `enums ${removed} removed from the set of previously allowed values`,
      crdify: `allowed enum values removed : ${removed}`,
    };
  },
});

const requiredNames = (schema: JsonObject): Set<string> =>
  new Set(readTextList(own(schema, 'required')));

export const requiredRule = definePropertyRule({
  id: 'required',
  keyword: 'required',
  checks: 'A field becomes required.',
  why: 'Stored objects without the field are refused when they are created or restored, and when they are updated at that place; before Kubernetes 1.30, at every update.',
  instead:
    'Give the field a default and leave it optional, or let the operator fill in what is missing.',
  source: sources(
    olmCheck('Required'),
    from.openShift('CRD upgrade safety'),
    from.crdify('pkg/validations/property/required.go'),
  ),
  example: {
    before: 'properties: { size: { type: integer } }',
    after: '{ properties: { size: { type: integer } }, required: [size] }',
    says: 'new required fields: [size]',
    accepted: 'properties: { size: { type: integer } }',
  },
  compare(old, next) {
    const before = requiredNames(old);
    const added = [...requiredNames(next)].filter((name) => !before.has(name)).sort(compareBytes);
    if (added.length === 0) return undefined;
    return {
      'olm-v1': `new required fields added: ${formatList(added)}`,
      crdify: `new required fields: ${formatList(added)}`,
    };
  },
});

export const defaultRule = definePropertyRule({
  id: 'default',
  keyword: 'default',
  checks: 'The default value of a field is added, changed or removed.',
  why: 'Objects that leave the field out mean something else after the upgrade.',
  instead:
    'Leave the default as it is, and let the operator choose the value where the field is absent.',
  source: sources(olmCheck('Default'), from.crdify('pkg/validations/property/default.go')),
  example: {
    before: 'properties: { size: { type: integer, default: 1 } }',
    after: 'properties: { size: { type: integer, default: 3 } }',
    says: 'default value changed : "1" -> "3"',
  },
  compare(old, next) {
    const before = readJson(own(old, 'default'));
    const after = readJson(own(next, 'default'));
    if (before === after) return undefined;
    if (before === undefined) {
      const added = quote(after ?? '');
      return {
        'olm-v1': `default value ${added} added when there was no default previously`,
        crdify: `default added when there was none previously : ${added}`,
      };
    }
    if (after === undefined) {
      return {
        'olm-v1': `default value ${quote(before)} removed`,
        crdify: `default value removed : ${quote(before)}`,
      };
    }
    return {
      'olm-v1': `default value changed from ${quote(before)} to ${quote(after)}`,
      crdify: `default value changed : ${quote(before)} -> ${quote(after)}`,
    };
  },
});

export const typeRule = definePropertyRule({
  id: 'type',
  keyword: 'type',
  checks: 'The type of a field changes.',
  why: 'Stored objects and clients hold values of the old type.',
  instead:
    'Add a field of the new type beside the old one; where both forms are wanted, x-kubernetes-int-or-string.',
  source: sources(olmCheck('Type'), from.crdify('pkg/validations/property/type.go')),
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: string } }',
    says: 'type changed : "integer" -> "string"',
    accepted: 'properties: { size: { type: integer }, sizeName: { type: string } }',
  },
  compare(old, next) {
    const before = readText(own(old, 'type')) ?? '';
    const after = readText(own(next, 'type')) ?? '';
    if (before === after) return undefined;
    return {
      'olm-v1': `type changed from ${quote(before)} to ${quote(after)}`,
      crdify: `type changed : ${quote(before)} -> ${quote(after)}`,
    };
  },
});

export const nullableRule = definePropertyRule({
  id: 'nullable',
  keyword: 'nullable',
  checks: 'A field begins or ceases to accept null.',
  why: 'Clients meet a null they do not expect, or stored objects with null are refused.',
  instead: 'Leave nullable as it is.',
  source: from.crdify('pkg/validations/property/nullable.go'),
  example: {
    before: 'properties: { size: { type: array, items: { type: string, nullable: true } } }',
    after: 'properties: { size: { type: array, items: { type: string } } }',
    says: 'nullable removed : true -> false',
  },
  compare(old, next, _sides, { nullable = {} } = {}) {
    const before = readFlag(own(old, 'nullable')) ?? false;
    const after = readFlag(own(next, 'nullable')) ?? false;
    if (before === after) return undefined;
    if ((after ? nullable.additionPolicy : nullable.removalPolicy) === 'Allow') return undefined;
    const text = `nullable ${after ? 'added' : 'removed'} : ${before} -> ${after}`;
    return { crdify: text };
  },
});

export const patternRule = definePropertyRule({
  id: 'pattern',
  keyword: 'pattern',
  checks: 'The pattern of a field is added, changed or removed.',
  why: 'Stored objects that do not match are refused when they are created or restored, and when they are updated at that place; before Kubernetes 1.30, at every update.',
  instead: 'Keep the pattern; put a narrower one into a new version.',
  source: from.crdify('pkg/validations/property/pattern.go'),
  example: {
    before: 'properties: { size: { type: string } }',
    after: "properties: { size: { type: string, pattern: '^[a-z]+$' } }",
    says: 'pattern added',
  },
  compare(old, next, _sides, options) {
    const before = readText(own(old, 'pattern')) ?? '';
    const after = readText(own(next, 'pattern')) ?? '';
    if (before === after) return undefined;
    if (after === '' && options?.pattern?.removalPolicy === 'Allow') return undefined;
    const how = before === '' ? 'added' : after === '' ? 'removed' : 'changed';
    const text = `pattern ${how} : ${quote(before)} -> ${quote(after)}`;
    return { crdify: text };
  },
});

export const descriptionRule = definePropertyRule({
  id: 'description',
  keyword: 'description',
  checks: 'Nothing: a changed description is known and accepted.',
  why: 'Words do not change what a stored object may hold.',
  instead: 'Nothing: it is accepted.',
  source: from.crdify('pkg/validations/property/description.go'),
  example: {
    before: 'properties: { size: { type: string } }',
    after: 'properties: { size: { type: string, description: How many. } }',
    says: '',
  },
  compare: () => undefined,
});

/** Keywords of an alternative itself; those of its properties count. */
const words = ['description', 'title', 'example', 'externalDocs'];

/** The branches by what makes them the same: the reference compares what Go prints of them. */
function branches(
  schema: JsonObject,
  text: TypedText,
  sides: ComparedSides,
): Map<string | symbol, JsonObject> {
  return new Map(
    (readList(own(schema, 'oneOf')) ?? []).map((item) => {
      const branch = withoutWords(readSchema(item) ?? {});
      return [sides.identityOf(branch, text), branch];
    }),
  );
}

function withoutWords(schema: JsonObject): JsonObject {
  const bare = { ...schema };
  for (const keyword of words) delete bare[keyword];
  return bare;
}

/** Whether one of the new alternatives is what the field was before it had any. */
function isKept(
  old: JsonObject,
  after: ReadonlyMap<string | symbol, JsonObject>,
  sides: ComparedSides,
): boolean {
  const before = withoutWords(old);
  delete before['oneOf'];
  return after.has(sides.identityOf(before, sides.old));
}

export const oneOfRule = definePropertyRule({
  id: 'oneOf',
  keyword: 'oneOf',
  looksAtEqual: true,
  isSlow: true,
  checks: 'A field gets a oneOf, or an alternative of its oneOf is removed, added or changed.',
  why: 'Stored objects that match no alternative, or two of them, are refused when they are created or restored, and when they are updated at that place; before Kubernetes 1.30, at every update.',
  instead:
    'Keep the alternatives; where the change only looks like one, see what profile proof says about it: olm-guard check crd OLD NEW --profile proof.',
  source: from.crdifyOfOlm110('pkg/validations/property/oneof.go'),
  example: {
    before: 'properties: { size: { type: string, oneOf: [{ enum: [small] }, { enum: [large] }] } }',
    after: 'properties: { size: { type: string, oneOf: [{ enum: [small] }] } }',
    says: 'v1: ^.spec.size: oneOf: allowed oneOf schemas removed: [&JSONSchemaProps{ID:,',
    accepted:
      'properties: { size: { type: string, oneOf: [{ enum: [large] }, { enum: [small], title: Small }] } }',
  },
  compare(old, next, sides = unlike(), { oneOf = {} } = {}) {
    const before = branches(old, sides.old, sides);
    const after = branches(next, sides.next, sides);
    const removed = [...before].filter(([identity]) => !after.has(identity));
    const added = [...after].filter(([identity]) => !before.has(identity));
    const isAdditionAllowed = oneOf.additionPolicy === 'Allow';
    const isRemoval = removed.length > 0 && oneOf.removalPolicy !== 'Allow';
    const isNew = before.size === 0;
    const isAllowed = isAdditionAllowed && !isRemoval && (!isNew || isKept(old, after, sides));
    const changed = isRemoval ? removed : added;
    if (changed.length === 0 || isAllowed) return undefined;
    const text = isRemoval ? sides.old : sides.next;
    const says = isRemoval
      ? 'allowed oneOf schemas removed'
      : isNew
        ? isAdditionAllowed
          ? 'oneOf constraint added and pre-existing property schema is not preserved in the new oneOf entries'
          : 'oneOf constraint added when there was none previously'
        : 'allowed oneOf schemas added';
    return {
      crdify: () => {
        const printed = changed.map(([, branch]) => sides.print(branch, text));
        return `${says}: ${formatList(printed.sort(compareBytes))}`;
      },
      ...(changed.some(([identity]) => typeof identity === 'symbol')
        ? { isNeverTheSame: true as const }
        : {}),
    };
  },
});

function unlike(): ComparedSides {
  const read = (stored: boolean): TypedText => new TypedText({ stored, emptyIsAbsent: true });
  return new ComparedSides(read(true), read(false));
}
