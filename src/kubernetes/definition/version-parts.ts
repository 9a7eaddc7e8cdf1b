import {
  child,
  invalid,
  invalids,
  required,
  type FieldError,
  breakdown,
  duplicate,
  tooMany,
} from '../apiserver/field-error.js';
import { parseRequestURI } from '../../text/formats/network.js';
import { label1035Problems, subdomainProblems } from '../../text/formats/names.js';
import { metaText } from '../apiserver/object-meta.js';
import type {
  Definition,
  Names,
  PrinterColumn,
  Subresources,
  Version,
  VersionParts,
} from './custom-resource-definition.js';
import { byteLength, indexOfUnprintable } from '../../text/go/index.js';
import { findField } from '../apiserver/rules/field-names.js';
import { maxSelectableFields } from './ratcheting.js';
import type { SchemaFacts } from './schema-walk.js';

/** Rule: `ValidateCustomResourceDefinitionNames`; a name that is empty passes. */
export function nameErrors(names: Names, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const report = (field: string, problems: readonly string[], before = ''): void => {
    if (problems.length === 0) return;
    errors.push(invalid(child(path, field), `${before}${problems.join(',')}`));
  };
  const check = (field: string, name: string): void => {
    if (name !== '') report(field, label1035Problems(name));
  };
  const checkKind = (field: string, name: string): void => {
    if (name === '') return;
    const before = 'may have mixed case, but should otherwise match: ';
    report(field, label1035Problems(name.toLowerCase()), before);
  };
  check('plural', names.plural);
  check('singular', names.singular);
  checkKind('kind', names.kind);
  checkKind('listKind', names.listKind);
  names.shortNames.forEach((name, index) => {
    report(`shortNames[${index}]`, label1035Problems(name));
  });
  if (names.kind !== '' && names.kind === names.listKind) {
    report('listKind', ['kind and listKind may not be the same']);
  }
  names.categories.forEach((name, index) => {
    report(`categories[${index}]`, label1035Problems(name));
  });
  return errors;
}

/** Names that a spec must have, while those in a status may be empty. */
export function missingNames(names: Names): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((field) => names[field] === '')
    .map((field) => required(`spec.names.${field}`));
}

export function groupErrors(group: string): FieldError[] {
  const field = 'spec.group';
  if (group === '') return [required(field)];
  const problems = subdomainProblems(group);
  if (problems.length > 0) return [invalid(field, problems.join(','))];
  return group.includes('.') ? [] : [invalid(field, 'should be a domain with at least one dot')];
}

/** A definition's own name, or the prefix of one: plural and group. */
export function definitionNameProblems({ names, group }: Definition, name: string): string[] {
  const expected = `${names.plural}.${group}`;
  return name === expected ? [] : ['must be spec.names.plural+"."+spec.group'];
}

const approvalAnnotation = 'api-approved.kubernetes.io';
type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

/** An update may leave the approval as it was. Rule: `validateAPIApproval`. */
export function approvalErrors(definition: Definition, old: Definition | undefined): FieldError[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(definition.group)) return [];
  const approval = approvalOf(definition);
  if (old !== undefined && approvalOf(old) === approval) return [];
  const field = `metadata.annotations[${approvalAnnotation}]`;
  const needed = `protected groups must have approval annotation "${approvalAnnotation}"`;
  const where = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (approval === 'missing') return [required(field, `${needed}, ${where}`)];
  if (approval !== 'invalid') return [];
  const form = 'with either a URL or a reason starting with "unapproved"';
  return [invalid(field, `${needed} ${form}, ${where}`)];
}

function approvalOf({ annotations }: Definition): Approval {
  const text = metaText(annotations, approvalAnnotation);
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  const url = parseRequestURI(text);
  return typeof url !== 'string' && url.host !== '' && url.scheme !== '' ? 'approved' : 'invalid';
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = 'byte date date-time double float int32 int64 password'.split(' ');

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
    const found = findField(jsonPath, unsupported === undefined ? schema : undefined, false);
    if (found === undefined) {
      errors.push(breakdown(field, 'a path that leads below a schema'));
      return;
    }
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
  return invalids(child(path, 'deprecationWarning'), problems);
}
