import { NumberText } from './value.js';

export type Resolved =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int' | 'float'; readonly value: number | NumberText }
  | { readonly kind: 'unsupported'; readonly text: string };

const none: Resolved = { kind: 'null' };
const yes: Resolved = { kind: 'bool', value: true };
const no: Resolved = { kind: 'bool', value: false };

/** The words of YAML 1.1 that sigs.k8s.io/yaml (go.yaml.in/yaml/v2 `resolve`) looks up before anything else. */
const kubernetesWords = new Map<string, Resolved>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, none] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word) => [word, yes] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word) => [word, no] as const,
  ),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, unsupported('NaN')] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(
    (word) => [word, unsupported('+Inf')] as const,
  ),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, unsupported('-Inf')] as const),
]);

const coreWords = new Map<string, Resolved>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, none] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, yes] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, no] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, unsupported('NaN')] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'].map(
    (word) => [word, unsupported('an infinite number')] as const,
  ),
]);

const firstCharactersOfWords = new Set([...'yYnNtTfFoO~.+-']);
const integer = /^[+-]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;
const signedBinary = /^0b([+-])([01]+)$/;
/** ParseFloat takes `_` between digits. */
const floatFromPoint = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const coreNumber = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/**
 * A plain scalar as sigs.k8s.io/yaml reads it and writes it to JSON: YAML 1.1 booleans, octal
 * `010`, hexadecimal and binary integers of 64 bits, `_` in numbers, no base 60, timestamps as text.
 * `undefined` means that it is a string.
 */
export function resolveKubernetesScalar(text: string): Resolved | undefined {
  const first = text[0];
  if (first === undefined) return none;
  const isDigitOrSign = first === '+' || first === '-' || (first >= '0' && first <= '9');
  if (!isDigitOrSign && !firstCharactersOfWords.has(first)) return undefined;
  if (text.length <= 5) {
    const word = kubernetesWords.get(text);
    if (word !== undefined) return word;
  }
  if (first === '.') {
    return floatFromPoint.test(text) ? finite(Number(text.replaceAll('_', ''))) : undefined;
  }
  if (!isDigitOrSign) return undefined;
  // ParseInt reads a sign behind the 0b as well.
  const plain = (text.includes('_') ? text.replaceAll('_', '') : text).replace(
    signedBinary,
    (_, sign: string, digits: string) => `${sign}0b${digits}`,
  );
  if (integer.test(plain)) {
    const value = integerValue(plain);
    // ParseInt takes signed 64 bits, ParseUint unsigned 64 bits without a sign.
    const isInt64 = value >= -(2n ** 63n) && value < 2n ** 63n;
    if (isInt64 || (value > 0n && value < 2n ** 64n && !/^[+-]/.test(plain))) {
      return { kind: 'int', value: numberFor(value) };
    }
  }
  return float.test(plain) ? finite(Number(plain)) : undefined;
}

/** A plain scalar of the YAML 1.2 core schema; a number keeps its text where JavaScript would lose it. */
export function resolveCoreScalar(text: string): Resolved | undefined {
  const word = coreWords.get(text);
  if (word !== undefined) return word;
  if (/^0o[0-7]+$/.test(text) || /^0x[0-9a-fA-F]+$/.test(text)) {
    return { kind: 'int', value: numberFor(BigInt(text)) };
  }
  if (!coreNumber.test(text)) return undefined;
  const literal = jsonLiteral(text);
  const kind = /^[-+]?[0-9]+$/.test(text) ? 'int' : 'float';
  return String(Number(literal)) === literal
    ? { kind, value: Number(literal) }
    : { kind, value: new NumberText(literal) };
}

function unsupported(text: string): Resolved {
  return { kind: 'unsupported', text };
}

function integerValue(plain: string): bigint {
  const negative = plain.startsWith('-');
  const digits = plain.replace(/^[+-]/, '');
  const magnitude = /^0[0-7]+$/.test(digits)
    ? BigInt(`0o${digits.slice(1)}`)
    : BigInt(digits.toLowerCase());
  return negative ? -magnitude : magnitude;
}

function numberFor(value: bigint): number | NumberText {
  const text = value.toString();
  const number = Number(value);
  return String(number) === text ? number : new NumberText(text);
}

/** ParseFloat refuses what does not fit a double, and the scalar stays a string. */
function finite(value: number): Resolved | undefined {
  if (!Number.isFinite(value)) return undefined;
  return { kind: 'float', value: Object.is(value, -0) ? new NumberText('-0') : value };
}

/** YAML allows `+1`, `.5`, `5.` and `007`; JSON does not. */
function jsonLiteral(text: string): string {
  const negative = text.startsWith('-');
  const [mantissa = '', ...exponent] = text.replace(/^[+-]/, '').split(/(?=[eE])/);
  const [whole = '', fraction] = mantissa.split('.');
  const digits = whole.replace(/^0+(?=[0-9])/, '') || '0';
  return [
    negative ? '-' : '',
    digits,
    fraction === undefined || fraction === '' ? '' : `.${fraction}`,
    ...exponent,
  ].join('');
}
