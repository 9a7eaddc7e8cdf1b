import {
  breakdown,
  child,
  duplicate,
  invalid,
  required,
  tooMany,
  type FieldError,
} from '../apiserver/field-error.js';
import { byteLength, indexOfUnprintable } from '../../text/go/index.js';
import type {
  PrinterColumn,
  Subresources,
  Version,
  VersionParts,
} from './custom-resource-definition.js';
import { findField, PathPanic } from '../apiserver/rules/field-path.js';
import { maxSelectableFields } from './ratcheting.js';
import type { SchemaFacts } from './schema-facts.js';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];

export function columnErrors(columns: readonly PrinterColumn[], path: string): FieldError[] {
  return columns.flatMap(({ name, type, format, jsonPath }, index) => {
    const place = `${child(path, 'additionalPrinterColumns')}[${index}]`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(child(place, 'name')));
    const typeDetail = `must be one of ${columnTypes.join(',')}`;
    if (type === '') errors.push(required(child(place, 'type'), typeDetail));
    else if (!columnTypes.includes(type)) errors.push(invalid(child(place, 'type'), typeDetail));
    if (format !== '' && !columnFormats.includes(format)) {
      errors.push(invalid(child(place, 'format'), `must be one of ${columnFormats.join(',')}`));
    }
    const pathField = child(place, 'JSONPath');
    if (jsonPath === '') errors.push(required(pathField));
    else if (!jsonPath.startsWith('.')) errors.push(invalid(pathField, notSimple));
    return errors;
  });
}

const notSimple = 'must be a simple json path starting with .';

export function subresourceErrors(
  subresources: Subresources | undefined,
  path: string,
): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  const check = (name: string, value: string, under: readonly string[], where: string): void => {
    const field = child(path, `subresources.scale.${name}`);
    if (!value.startsWith('.')) errors.push(invalid(field, notSimple));
    else if (!under.some((prefix) => value.startsWith(prefix))) {
      errors.push(invalid(field, `should be a json path under ${where}`));
    }
  };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  if (specReplicasPath === '') {
    errors.push(required(child(path, 'subresources.scale.specReplicasPath')));
  } else check('specReplicasPath', specReplicasPath, ['.spec.'], '.spec');
  if (statusReplicasPath === '') {
    errors.push(required(child(path, 'subresources.scale.statusReplicasPath')));
  } else check('statusReplicasPath', statusReplicasPath, ['.status.'], '.status');
  if (labelSelectorPath !== '') {
    const under = ['.spec.', '.status.'];
    check('labelSelectorPath', labelSelectorPath, under, 'either .spec or .status');
  }
  return errors;
}

const selectableTypes = ['string', 'boolean', 'integer'];

/** @param mayStayTooMany whether more than {@link maxSelectableFields} were there before */
export function selectableFieldErrors(
  { selectableFields, validation }: VersionParts,
  path: string,
  isCommon: boolean,
  mayStayTooMany: boolean,
  facts: SchemaFacts,
): FieldError[] {
  if (selectableFields.length === 0) return [];
  const place = child(path, 'selectableFields');
  const schema = validation?.schema;
  if (isCommon ? validation === undefined : schema === undefined) {
    return [invalid(place, 'may only be set when a schema is included')];
  }
  const unsupported = schema && facts.unsupported(schema);
  const errors: FieldError[] = [];
  if (unsupported !== undefined) {
    errors.push(invalid(child(path, 'schema.openAPIV3Schema'), unsupported));
  }
  const unique = new Set<string>();
  selectableFields.forEach((jsonPath, index) => {
    const field = `${place}[${index}].jsonPath`;
    if (jsonPath === '') {
      errors.push(required(field));
      return;
    }
    try {
      const found = findField(jsonPath, unsupported === undefined ? schema : undefined, false);
      if (typeof found === 'string') {
        errors.push(invalid(field, `is an invalid path: ${found}`));
        return;
      }
      if (found.root === 'metadata') {
        errors.push(invalid(field, 'must not point to fields in metadata'));
      }
      if (!selectableTypes.includes(found.schema?.type ?? '')) {
        const detail =
          'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
        errors.push(invalid(field, detail));
      }
      if (unique.has(found.path)) errors.push(duplicate(field));
      unique.add(found.path);
    } catch (error) {
      if (!(error instanceof PathPanic)) throw error;
      errors.push(breakdown(field, 'a path that leads below a schema'));
    }
  });
  if (unique.size > maxSelectableFields && !mayStayTooMany) {
    errors.push(tooMany(place, maxSelectableFields));
  }
  return errors;
}

export function deprecationErrors(
  { deprecated, deprecationWarning: warning }: Version,
  path: string,
): FieldError[] {
  if (warning === undefined) return [];
  const problems: string[] = [];
  if (!deprecated) problems.push('can only be set for deprecated versions');
  else {
    if (byteLength(warning) > 256) problems.push('must be <= 256 characters long');
    if (warning === '') problems.push('must not be an empty string');
    const at = indexOfUnprintable(warning);
    if (at >= 0) {
      problems.push(
        `must only contain printable UTF-8 characters; non-printable character found at index ${byteLength(warning.slice(0, at))}`,
      );
    }
  }
  return problems.map((problem) => invalid(child(path, 'deprecationWarning'), problem));
}
