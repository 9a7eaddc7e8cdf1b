import { from, sources } from '../../../rule/index.js';
import { own } from '../../../text/documents/index.js';
import { readFloat, readInteger } from '../../crd/typed-values.js';
import { formatFloat } from '../../../text/go/index.js';
import { definePropertyRule, type PropertyRule, olmCheck } from './rule.js';

/** The eight rules about bounds: one comparison, two directions, two kinds of numbers. */
interface Bound {
  readonly keyword: string;
  readonly what: string;
  /** A schema without the bound, which the example adds. */
  readonly schema: string;
  readonly added?: number;
  readonly example?: PropertyRule['example'];
}

const list = 'type: array, items: { type: string }';
const map = 'type: object, additionalProperties: { type: string }';

/** Sorted as OLM v1 looks at them. */
export const boundRules: readonly PropertyRule[] = [
  { keyword: 'maximum', what: 'value', schema: 'type: integer', added: 10 },
  { keyword: 'maxItems', what: 'number of items', schema: list },
  { keyword: 'maxLength', what: 'length', schema: 'type: string', added: 3 },
  { keyword: 'maxProperties', what: 'number of properties', schema: map },
  {
    keyword: 'minimum',
    what: 'value',
    schema: 'type: integer',
    example: {
      before: 'properties: { size: { type: integer, minimum: 1 } }',
      after: 'properties: { size: { type: integer, minimum: 2 } }',
      says: 'minimum increased : 1 -> 2',
      accepted: 'properties: { size: { type: integer, minimum: 0 } }',
    },
  },
  { keyword: 'minItems', what: 'number of items', schema: list },
  { keyword: 'minLength', what: 'length', schema: 'type: string' },
  { keyword: 'minProperties', what: 'number of properties', schema: map },
].map(defineBoundRule);

function defineBoundRule({ keyword, what, schema, added = 1, example }: Bound): PropertyRule {
  const direction = keyword.startsWith('max') ? 'maximum' : 'minimum';
  const isFloat = keyword === 'maximum' || keyword === 'minimum';
  const read = isFloat ? readFloat : readInteger;
  const print = (bound: number | bigint): string =>
    typeof bound === 'number' ? formatFloat(bound) : bound.toString();
  const moved = direction === 'maximum' ? 'decreased' : 'increased';
  const capitalised = `${keyword[0]?.toUpperCase()}${keyword.slice(1)}`;
  return definePropertyRule({
    id: keyword,
    keyword,
    checks: `A field gets a ${direction} ${what}, or its ${direction} ${what} is ${moved}.`,
    why: 'Stored objects outside of the new bound are refused when they are created or restored, and when they are updated at that place; before Kubernetes 1.30, at every update.',
    instead:
      'Keep the bound in this version and add a version with the new one; or have the operator refuse new values itself, and say so in its status, until all stored objects are within it.',
    source: sources(
      olmCheck(capitalised),
      from.crdify(`pkg/validations/property/${direction === 'maximum' ? 'max' : 'min'}.go`),
    ),
    example: example ?? {
      before: `properties: { size: { ${schema} } }`,
      after: `properties: { size: { ${schema}, ${keyword}: ${added} } }`,
      says: `${direction} constraint added when there was none previously : ${added}`,
    },
    compare(old, next) {
      const before = read(own(old, keyword));
      const after = read(own(next, keyword));
      if (after === undefined) return undefined;
      if (before === undefined) {
        return {
          'olm-v1': `${keyword}: constraint ${print(after)} added when there were no restrictions previously`,
          crdify: `${direction} constraint added when there was none previously : ${print(after)}`,
        };
      }
      if (direction === 'maximum' ? after >= before : after <= before) return undefined;
      return {
        'olm-v1': `${keyword}: constraint ${moved} from ${print(before)} to ${print(after)}`,
        crdify: `${direction} ${moved} : ${print(before)} -> ${print(after)}`,
      };
    },
  });
}
