import { types, type CelType } from './types.js';
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

export function typeOfValue(value: CelValue): CelType {
  if (value === null) return types.null;
  switch (typeof value) {
    case 'boolean':
      return types.bool;
    case 'bigint':
      return types.int;
    case 'number':
      return types.double;
    case 'string':
      return types.string;
    default:
      return value instanceof Uint ? types.uint : types.bytes;
  }
}

export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      break;
  }
  if (value === null) return 'null_type';
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return types.timestamp.name;
  if (value instanceof Duration) return types.duration.name;
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Optional) return 'optional_type';
  return value.typeName;
}
