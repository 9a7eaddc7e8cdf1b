import { isObject, type JsonObject } from '../../text/documents/index.js';
import { rareSchemaKeywords } from './keywords.js';
import type { Notation } from './schema.js';

export interface Element {
  readonly keyword: 'items' | 'additionalProperties';
  /** Written as in paths. */
  readonly step: string;
  readonly schema: JsonObject;
}

export interface Layout {
  readonly properties: JsonObject | undefined;
  readonly element: Element | undefined;
}

const leaf: Layout = { properties: undefined, element: undefined };

/** Nothing when several schemas may share a path, or a keyword is not what a schema has there. */
export function layoutOf(schema: JsonObject, notation: Notation): Layout | undefined {
  let properties: JsonObject | undefined;
  let element: Element | undefined;
  for (const keyword in schema) {
    switch (keyword) {
      case 'properties': {
        const value = schema[keyword];
        if (value === null) break;
        if (!isObject(value) || !hasPlainNames(value)) return undefined;
        properties = value;
        break;
      }
      case 'items':
      case 'additionalProperties': {
        const value = schema[keyword];
        if (typeof value === 'boolean' || value === null) break;
        if (!isObject(value) || element !== undefined) return undefined;
        element = { keyword, step: notation[keyword], schema: value };
        break;
      }
      default:
        if (rareSchemaKeywords.has(keyword)) return undefined;
    }
  }
  if (properties === undefined) return element === undefined ? leaf : { properties, element };
  return element === undefined ? { properties, element } : undefined;
}

function hasPlainNames(properties: JsonObject): boolean {
  for (const name in properties) {
    if (name === '' || name.includes('.') || name.includes('[')) return false;
  }
  return true;
}
