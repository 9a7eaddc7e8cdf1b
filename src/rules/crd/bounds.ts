/** The eight rules about least and most: one comparison, two directions, two kinds of numbers. */
import { own } from '../../text/documents/index.js';
import { readFloat, readInteger } from '../../crd/typed-values.js';
import { defineRule, type PropertyRule } from './rule.js';
import { from } from '../source.js';
import { formatFloat } from '../../text/go/index.js';

interface Bound {
  readonly direction: 'maximum' | 'minimum';
  readonly what: string;
}

function boundRule(keyword: string, { direction, what }: Bound): PropertyRule {
  const isFloat = keyword === 'maximum' || keyword === 'minimum';
  const read = isFloat ? readFloat : readInteger;
  const print = (bound: number | bigint): string =>
    typeof bound === 'number' ? formatFloat(bound) : bound.toString();
  const moved = direction === 'maximum' ? 'decreased' : 'increased';
  const capitalised = `${keyword[0]?.toUpperCase()}${keyword.slice(1)}`;
  return defineRule({
    name: keyword,
    kind: 'property',
    keyword,
    upstream: {
      'olm-v1': from.operatorController417(
        'internal/operator-controller/rukpak/preflights/crdupgradesafety/checks.go',
        capitalised,
      ),
      crdify: from.crdify(`pkg/validations/property/${direction === 'maximum' ? 'max' : 'min'}.go`),
    },
    checks: `A field gets a ${direction} ${what}, or its ${direction} ${what} is ${moved}.`,
    why: 'Stored objects outside of the new bound are refused at their next update.',
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

export const maximumRule = boundRule('maximum', { direction: 'maximum', what: 'value' });
export const maxItemsRule = boundRule('maxItems', {
  direction: 'maximum',
  what: 'number of items',
});
export const maxLengthRule = boundRule('maxLength', { direction: 'maximum', what: 'length' });
export const maxPropertiesRule = boundRule('maxProperties', {
  direction: 'maximum',
  what: 'number of properties',
});
export const minimumRule = boundRule('minimum', { direction: 'minimum', what: 'value' });
export const minItemsRule = boundRule('minItems', {
  direction: 'minimum',
  what: 'number of items',
});
export const minLengthRule = boundRule('minLength', { direction: 'minimum', what: 'length' });
export const minPropertiesRule = boundRule('minProperties', {
  direction: 'minimum',
  what: 'number of properties',
});
