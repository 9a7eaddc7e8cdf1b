/** One changed keyword as operator-controller prints it: the field's name in Go, and both values. */
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { float64Of, formatFloat, isNumber, quote } from '../../../text/go/index.js';
import { keywordKinds, type Kind } from '../../crd/keywords.js';

export function goChange(keyword: string, old: JsonObject, next: JsonObject): string | undefined {
  const kind = keywordKinds.get(keyword);
  if (kind === undefined) return undefined;
  const values = [own(old, keyword) ?? null, own(next, keyword) ?? null];
  if (values.every((value) => isLong(value))) return undefined;
  // Two values of these are compared inside, line by line.
  if (!values.includes(null) && !isScalar(kind)) return undefined;
  const [before, after] = values.map((value) => printed(value, kind));
  if (before === undefined || after === undefined) return undefined;
  return `${fieldName(keyword)} ${before} -> ${after}`;
}

/** Two long texts are compared line by line, or byte by byte. */
const isLong = (value: JsonValue): boolean =>
  typeof value === 'string' && Buffer.byteLength(value) >= 32;

export function fieldName(keyword: string): string {
  if (keyword === 'id') return 'ID';
  const words = keyword.replace('$', '').replace('x-kubernetes-', 'x-').split('-');
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
}

const scalars: readonly Kind[] = [
  ...(['text', 'flag', 'pointer-to-text', 'pointer-to-flag', 'float', 'integer'] as const),
];
const isScalar = (kind: Kind): boolean => scalars.includes(kind);

function printed(value: JsonValue, kind: Kind): string | undefined {
  switch (kind) {
    case 'text':
      return text(value ?? '');
    case 'flag':
      return String(value === true);
    case 'pointer-to-text':
      return value === null ? 'nil' : `&${text(value)}`;
    case 'pointer-to-flag':
      return value === null ? 'nil' : `&${String(value === true)}`;
    case 'float':
    case 'integer':
      return isNumber(value) ? `&${formatFloat(float64Of(value))}` : 'nil';
    case 'text-list':
      return Array.isArray(value) ? `[]string{${value.map(text).join(', ')}}` : 'nil';
    case 'validations':
      return Array.isArray(value) ? rules(value) : 'nil';
    case 'schema':
    case 'schema-list':
    case 'schema-map':
    case 'schema-or-flag':
    case 'schema-or-list':
      return value === null ? 'nil' : '<complex value>';
    default:
      return undefined;
  }
}

function rules(list: readonly JsonValue[]): string {
  const fields = [
    ...['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'],
  ];
  const written = list.map((rule) => {
    const members = fields.flatMap((field) => {
      const value = isObject(rule) ? own(rule, field) : undefined;
      if (value === undefined || value === null || value === '') return [];
      const isPointer = field === 'reason' || field === 'optionalOldSelf';
      const shown = typeof value === 'string' ? text(value) : String(value === true);
      return [`${fieldName(field)}: ${isPointer ? '&' : ''}${shown}`];
    });
    return `{${members.join(', ')}}`;
  });
  return `ValidationRules{${written.join(', ')}}`;
}

/** Backquotes where they save escapes. */
function text(value: JsonValue): string {
  const raw = typeof value === 'string' ? value : '';
  const quoted = quote(raw);
  const isPlain = Buffer.byteLength(quoted) === Buffer.byteLength(raw) + 2;
  const canBeRaw = !/[`\n]|(?!\t)[\p{Cc}\p{Cf}\p{Cn}]/u.test(raw);
  return isPlain || !canBeRaw ? quoted : `\`${raw}\``;
}
