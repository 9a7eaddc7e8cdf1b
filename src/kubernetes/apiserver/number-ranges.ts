/**
 * Formats and ranges of numbers as Kubernetes 1.36 has them: an integer has 64 bits, or the 32 of its
 * format, and a number of format float must fit one. Up to 1.35 such formats mean nothing.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/validation/formats.go and
 * k8s.io/kube-openapi/pkg/validation/validate/values.go, IsValueValidAgainstRange (both v0.36).
 */
import { type JsonNumber, float64Of, int64Of } from '../../text/go/index.js';

export interface NumberRange {
  /** The range's name in an error about a value outside: `integer with format int32`. */
  readonly description: string;
  readonly holds: (value: JsonNumber) => boolean;
}

const numericFormats = new Map([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
]);

/** The format if it is one of the type's, else none. */
export function numericFormat(type: string, format: string): string {
  return numericFormats.get(type)?.includes(format) === true ? format : '';
}

/** The range of values of a type; undefined where every number is in it. */
export function numberRange(type: string, format: string): NumberRange | undefined {
  if (type === 'integer') {
    const bits = format === 'int32' ? 32 : 64;
    return {
      description: `integer ${format === '' ? '(default format)' : `with format ${format}`}`,
      holds: (value) => {
        const whole = wholeOf(value);
        return whole !== undefined && BigInt.asIntN(bits, whole) === whole;
      },
    };
  }
  if (type !== 'number' || format !== 'float') return undefined;
  return {
    description: 'number with format float',
    holds: (value) => Number.isFinite(Math.fround(float64Of(value))),
  };
}

/** A float64 is read from its shortest text, which for -2^63, the least integer, is below it. */
function wholeOf(value: JsonNumber): bigint | undefined {
  return int64Of(value) ?? int64Of(float64Of(value));
}
