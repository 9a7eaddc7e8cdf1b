/** Object metadata on create and update: k8s.io/apimachinery/pkg/api/validation/objectmeta.go. */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import {
  child,
  forbidden,
  invalid,
  invalids,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from './field-error.js';
import {
  labelProblems,
  labelValueProblems,
  maskTrailingDash,
  pathSegmentProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from '../../text/formats/names.js';
import { generationOf, metaText } from './object-meta.js';
import { byteLength, indexOfUnprintable, int64Of, isNumber, quote } from '../../text/go/index.js';
import { append } from '../../text/long-lists.js';

const annotationsLimit = 256 * 1024;

export type NameRule = (name: string, isPrefix: boolean) => string[];

/** Custom resources themselves. */
export const subdomainName: NameRule = (name, isPrefix) =>
  subdomainProblems(isPrefix ? maskTrailingDash(name) : name);

/** Resources embedded in a custom resource. */
export const pathSegmentName: NameRule = pathSegmentProblems;

/** How a minor words errors of metadata; what it refuses is the same. */
export interface MetaWording {
  /** Errors in owner references and managed fields name the problem and the field. */
  readonly tellsMissingMeta: boolean;
}

const older: MetaWording = { tellsMissingMeta: false };

export function validateMeta(
  meta: JsonObject,
  namespaced: boolean,
  nameRule: NameRule,
  path: string,
  wording: MetaWording = older,
): FieldError[] {
  const errors: FieldError[] = [];
  const report = (field: string, problems: readonly string[]): void => {
    append(errors, invalids(child(path, field), problems));
  };
  const generateName = metaText(meta, 'generateName');
  if (generateName !== '') report('generateName', nameRule(generateName, true));
  const name = metaText(meta, 'name');
  if (name === '') errors.push(required(child(path, 'name'), 'name or generateName is required'));
  else report('name', nameRule(name, false));
  const namespace = metaText(meta, 'namespace');
  if (!namespaced) {
    if (namespace !== '') {
      errors.push(forbidden(child(path, 'namespace'), 'not allowed on this type'));
    }
  } else if (namespace === '') errors.push(required(child(path, 'namespace')));
  else report('namespace', labelProblems(namespace));
  if (generationOf(meta) < 0) {
    report('generation', ['must be greater than or equal to 0']);
  }
  append(errors, validateCommon(meta, path, wording));
  append(errors, validateFinalizers(texts(own(meta, 'finalizers')), child(path, 'finalizers')));
  append(
    errors,
    validateManagedFields(own(meta, 'managedFields'), child(path, 'managedFields'), wording),
  );
  return errors;
}

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

export function validateMetaUpdate(
  meta: JsonObject,
  old: JsonObject,
  path: string,
  wording: MetaWording = older,
): FieldError[] {
  const errors: FieldError[] = [];
  if (own(old, 'deletionTimestamp') !== undefined) {
    const before = new Set(texts(own(old, 'finalizers')));
    const added = [...new Set(texts(own(meta, 'finalizers')))].filter((name) => !before.has(name));
    if (added.length > 0) {
      const listed = added.sort().map(quote).join(', ');
      errors.push(
        forbidden(
          child(path, 'finalizers'),
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${listed}}`,
        ),
      );
    }
  }
  if (metaText(meta, 'resourceVersion') === '') {
    errors.push(invalid(child(path, 'resourceVersion'), 'must be specified for an update'));
  }
  if (generationOf(meta) < generationOf(old)) {
    errors.push(invalid(child(path, 'generation'), 'must not be decremented'));
  }
  for (const field of immutable) {
    if (!sameScalar(own(meta, field), own(old, field))) {
      errors.push(invalid(child(path, field), 'field is immutable'));
    }
  }
  append(errors, validateCommon(meta, path, wording));
  append(
    errors,
    validateManagedFields(own(meta, 'managedFields'), child(path, 'managedFields'), wording),
  );
  return errors;
}

function sameScalar(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left !== undefined && right !== undefined && isNumber(left) && isNumber(right)) {
    return int64Of(left) === int64Of(right);
  }
  return left === right;
}

/** Checks that create and update share: labels, annotations, owner references. */
function validateCommon(meta: JsonObject, path: string, wording: MetaWording): FieldError[] {
  const errors: FieldError[] = [];
  const labels = own(meta, 'labels');
  if (isObject(labels)) {
    const field = child(path, 'labels');
    for (const key of Object.keys(labels)) {
      const problems = [
        ...qualifiedNameProblems(key),
        ...labelValueProblems(metaText(labels, key)),
      ];
      append(errors, invalids(field, problems));
    }
  }
  const annotations = own(meta, 'annotations');
  if (isObject(annotations)) {
    append(errors, validateAnnotations(annotations, child(path, 'annotations')));
  }
  append(
    errors,
    validateOwners(own(meta, 'ownerReferences'), child(path, 'ownerReferences'), wording),
  );
  return errors;
}

function validateAnnotations(annotations: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of Object.keys(annotations)) {
    size += byteLength(key) + byteLength(metaText(annotations, key));
    const problems = qualifiedNameProblems(key.toLowerCase());
    append(errors, invalids(field, problems));
  }
  if (size > annotationsLimit) errors.push(tooLong(field, annotationsLimit));
  return errors;
}

function validateOwners(
  owners: JsonValue | undefined,
  path: string,
  { tellsMissingMeta }: MetaWording,
): FieldError[] {
  if (!Array.isArray(owners)) return [];
  const errors: FieldError[] = [];
  let controller = '';
  for (const [index, owner] of owners.entries()) {
    if (!isObject(owner)) continue;
    const apiVersion = metaText(owner, 'apiVersion');
    const kind = metaText(owner, 'kind');
    const name = metaText(owner, 'name');
    const field = tellsMissingMeta ? `${path}[${index}]` : path;
    const missing = tellsMissingMeta ? required : invalid;
    if (tellsMissingMeta && apiVersion === '') {
      errors.push(required(`${field}.apiVersion`, 'must not be empty'));
    } else if (versionOf(apiVersion) === '') {
      const detail = tellsMissingMeta
        ? 'must be <group>/<version> or <version>'
        : 'version must not be empty';
      errors.push(invalid(`${field}.apiVersion`, detail));
    }
    if (kind === '') errors.push(missing(`${field}.kind`, 'must not be empty'));
    if (name === '') errors.push(missing(`${field}.name`, 'must not be empty'));
    if (metaText(owner, 'uid') === '') errors.push(missing(`${field}.uid`, 'must not be empty'));
    if (apiVersion === 'v1' && kind === 'Event') {
      errors.push(invalid(field, '/v1, Kind=Event is disallowed from being an owner'));
    }
    if (own(owner, 'controller') !== true) continue;
    const current = `${kind}/${name}`;
    if (controller === '') controller = current;
    else {
      errors.push(
        invalid(
          path,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`,
        ),
      );
    }
  }
  return errors;
}

/** The version part of an apiVersion, empty when it is none. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : (parts[parts.length - 1] ?? '');
}

function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const errors = finalizers.flatMap((name) => invalids(field, qualifiedNameProblems(name)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(field, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

const operations = ['Apply', 'Update'];

function validateManagedFields(
  entries: JsonValue | undefined,
  path: string,
  { tellsMissingMeta }: MetaWording,
): FieldError[] {
  if (!Array.isArray(entries)) return [];
  const errors: FieldError[] = [];
  for (const [index, entry] of entries.entries()) {
    if (!isObject(entry)) continue;
    const field = `${path}[${index}]`;
    const operation = metaText(entry, 'operation');
    if (!operations.includes(operation))
      errors.push(operationError(operation, `${field}.operation`, tellsMissingMeta));
    const fieldsType = metaText(entry, 'fieldsType');
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(`${field}.fieldsType`, 'must be `FieldsV1`'));
    }
    append(errors, validateManager(metaText(entry, 'manager'), `${field}.manager`));
    if (byteLength(metaText(entry, 'subresource')) > 256) {
      errors.push(tooLong(`${field}.subresource`, 256));
    }
  }
  return errors;
}

function operationError(operation: string, field: string, tellsMissing: boolean): FieldError {
  if (!tellsMissing) return invalid(field, 'must be `Apply` or `Update`');
  if (operation === '') return required(field, 'must not be empty');
  return notSupported(field, operations);
}

function validateManager(manager: string, field: string): FieldError[] {
  const errors = byteLength(manager) > 128 ? [tooLong(field, 128)] : [];
  let position = 0;
  for (const character of manager) {
    if (indexOfUnprintable(character) >= 0) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(field, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(character);
  }
  return errors;
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
