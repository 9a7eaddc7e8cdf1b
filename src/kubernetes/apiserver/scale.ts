/** The paths of the scale subresource: k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go. */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { invalid, type FieldError } from './field-error.js';
import { formatValue, int64Of, isNumber, typeName } from '../../text/go/index.js';

export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

export function validateScale(object: JsonObject, scale: ScalePaths): FieldError[] {
  return [
    ...validateReplicas(object, scale.specReplicas),
    ...validateReplicas(object, scale.statusReplicas),
    ...(scale.labelSelector === undefined ? [] : validateSelector(object, scale.labelSelector)),
  ];
}

function validateReplicas(object: JsonObject, path: string): FieldError[] {
  const found = lookUp(object, path);
  if ('problem' in found) return [invalid(path, found.problem)];
  if (found.value === undefined) return [];
  const replicas = isNumber(found.value) ? int64Of(found.value) : undefined;
  if (replicas === undefined) return [invalid(path, accessorError(path, found.value, 'int64'))];
  if (replicas < 0n) return [invalid(path, 'should be a non-negative integer')];
  if (replicas > 2147483647n) return [invalid(path, 'should be less than or equal to 2147483647')];
  return [];
}

function validateSelector(object: JsonObject, path: string): FieldError[] {
  const found = lookUp(object, path);
  if ('problem' in found) return [invalid(path, found.problem)];
  if (found.value === undefined || typeof found.value === 'string') return [];
  return [invalid(path, accessorError(path, found.value, 'string'))];
}

function fieldsOf(path: string): string[] {
  return (path.startsWith('.') ? path.slice(1) : path).split('.');
}

/** unstructured.NestedFieldNoCopy: a null on the way counts as absent, at the end it is a value. */
function lookUp(
  object: JsonObject,
  path: string,
): { value: JsonValue | undefined } | { problem: string } {
  let value: JsonValue = object;
  const fields = fieldsOf(path);
  for (const [index, field] of fields.entries()) {
    if (value === null) return { value: undefined };
    if (!isObject(value)) {
      const place = `.${fields.slice(0, index + 1).join('.')}`;
      return { problem: accessorError(place, value, 'map[string]interface{}') };
    }
    const next = own(value, field);
    if (next === undefined) return { value: undefined };
    value = next;
  }
  return { value };
}

/** The sentence of unstructured's accessors about a value of another type. */
export function accessorError(path: string, value: JsonValue, expected: string): string {
  const place = `.${fieldsOf(path).join('.')}`;
  return `${place} accessor error: ${formatValue(value)} is of the type ${typeName(value)}, expected ${expected}`;
}
