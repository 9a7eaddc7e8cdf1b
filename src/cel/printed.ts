/** Values as Go prints them into errors. */
import { formatFloat } from '../text/go/index.js';
import { typeNameOf } from './value-types.js';
import {
  CelList,
  CelMap,
  Duration,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type CelValue,
} from './values.js';

/** `%v`. */
export function printed(value: CelValue): string {
  if (value === null) return '0';
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return `[${[...value].join(' ')}]`;
  if (value instanceof TypeValue) return value.typeName;
  if (value instanceof CelList) return `[${[...value.items()].map(printed).join(', ')}]`;
  if (value instanceof CelMap) {
    const entries = value
      .keys()
      .map((key) => `${printed(key)}: ${printed(value.find(key) ?? null)}`);
    return `{${entries.join(', ')}}`;
  }
  if (value instanceof Optional) {
    return value.value === undefined ? 'optional.none()' : `optional(${printed(value.value)})`;
  }
  return typeNameOf(value);
}

/** `%T`. */
export function goTypeOf(value: CelValue): string {
  if (value === null) return 'types.Null';
  if (value instanceof TypeValue) return '*types.Type';
  if (value instanceof Optional) return '*types.Optional';
  if (value instanceof Timestamp) return 'types.Timestamp';
  if (value instanceof Duration) return 'types.Duration';
  if (value instanceof CelList) return '*types.baseList';
  if (value instanceof CelMap) return '*types.baseMap';
  const name = typeNameOf(value);
  const last = name.slice(name.lastIndexOf('.') + 1);
  const isOfKubernetes = name !== last;
  if (last === 'NamedFormat') return 'cel.Format';
  return isOfKubernetes ? `cel.${last}` : `types.${last.charAt(0).toUpperCase()}${last.slice(1)}`;
}
