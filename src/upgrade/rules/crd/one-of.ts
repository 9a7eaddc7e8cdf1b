import { from } from '../../../rule/index.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { TypedText } from '../../crd/typed-text.js';
import { readList, readSchema } from '../../crd/typed-values.js';
import { compareBytes, formatList } from '../../../text/go/index.js';
import { ComparedSides } from './compared-sides.js';
import { definePropertyRule } from './rule.js';

/** Of an alternative itself; those of its properties count. */
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
