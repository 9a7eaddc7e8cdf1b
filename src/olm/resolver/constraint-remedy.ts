/** Suggests a replacement for a constraint that OLM cannot read. */
import { isObject, own, type JsonValue } from '../../text/documents/index.js';

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
  if (/unknown field "|cannot unmarshal /.test(message)) return `write only ${known}`;
  if (message.includes('Could not parse ')) {
    return 'write a range as OLM classic reads it, such as ">=1.0.0 <2.0.0"';
  }
  if (message.endsWith('must have type Bool')) return 'write a rule that is true or false';
  return undefined;
}

const known =
  'failureMessage, gvk {group, version, kind}, package {packageName, versionRange}, all, any and not {constraints: […]}, cel {rule}';

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
