/** What to write instead of a constraint that OLM cannot read. */
import { isObject, own, type JsonValue } from '../text/documents/index.js';

/** What may stand in a constraint. */
export const constraintKeys = [
  'failureMessage',
  'gvk',
  'package',
  'all',
  'any',
  'not',
  'cel',
] as const;

/** @param message OLM's own about this value; undefined when nothing better is known to say */
export function constraintRemedy(value: JsonValue, message: string): string | undefined {
  if (unknownVariable(message) !== undefined) {
    return 'use only the variable properties and the function semver_compare';
  }
  if (message.endsWith('unknown field "name"') && mentionsName(value)) {
    return 'in "package" write packageName where it says name';
  }
  if (message.endsWith('constraint is empty')) {
    return 'write what is asked for (gvk, package, all, any, not or cel) below value';
  }
  return undefined;
}

/** The variable of a CEL rule that OLM does not have. */
export function unknownVariable(message: string): string | undefined {
  return /undeclared reference to '([^']+)'/.exec(message)?.[1];
}

function mentionsName(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(mentionsName);
  if (!isObject(value)) return false;
  const required = own(value, 'package');
  if (isObject(required) && own(required, 'name') !== undefined) return true;
  return Object.keys(value).some((key) => mentionsName(own(value, key) ?? null));
}
