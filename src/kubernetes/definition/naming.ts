import { child, invalid, required, type FieldError } from '../apiserver/field-error.js';
import { parseRequestURI } from '../../text/formats/uri.js';
import { label1035Problems, subdomainProblems } from '../../text/formats/names.js';
import { metaText } from '../apiserver/object-meta.js';
import type { Definition, Names } from './custom-resource-definition.js';

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
