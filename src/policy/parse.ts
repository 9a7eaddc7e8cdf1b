/** The policy file as text in, a policy out. Pure: who calls it reads the file. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import {
  type InvalidInputError,
  invalidInput,
  isObject,
  parseDocuments,
  type Document,
  type Path,
} from '../text/documents/index.js';
import { families, type Family, mildHarms } from '../rule/index.js';
import { isQualifiedRuleName, ruleOfChange } from '../upgrade/index.js';
import { didYouMean } from '../text/nearest.js';
import { defaultPolicy, type Exemption, type Mode, type Policy } from './policy.js';
import { parseEnd } from './rfc3339.js';
import { policySchema } from './schema.js';
import { readPointer } from '../text/json-pointer.js';

interface PolicyFile extends Partial<
  Omit<Policy, 'modes' | 'bypass' | 'budgets' | 'trusted' | 'crdify'>
> {
  readonly crdify?: Policy['crdify'] | string;
  readonly modes?: Readonly<Record<string, Mode>>;
  readonly bypass?: Partial<Policy['bypass']>;
  readonly budgets?: Partial<Policy['budgets']>;
  readonly trusted?: Partial<Policy['trusted']>;
}

/** Its name says what it is. */
const ofRepository = /(?:^|[\\/:])\.olm-guard\.ya?ml$/;
const identity = { apiVersion: 'olm-guard.io/v1alpha1', kind: 'Policy' };

const validate = new Ajv2020({ strict: false, verbose: true }).compile<PolicyFile>(policySchema);

/** @param otherwise holds where the text leaves a field out @throws InvalidInputError `E_YAML` or `E_INPUT` */
export function parsePolicy(
  text: string,
  file: string,
  rules: ReadonlySet<string>,
  otherwise: Policy = defaultPolicy,
): Policy {
  const documents = parseDocuments(text, { file, dialect: 'core' });
  const [document, second] = documents;
  if (document === undefined) {
    throw invalidInput('is empty; a policy has apiVersion and kind', { file });
  }
  if (second !== undefined) {
    const place = { file, line: second.line };
    throw invalidInput('is a second document; a policy file has one', place);
  }
  const { value } = document;
  if (!isObject(value)) throw refusal(document, [], 'must be a mapping with apiVersion and kind');
  // A policy's numbers are small: 2.0 may be the plain number 2 here.
  const written: unknown = JSON.parse(JSON.stringify(value));
  const policy: unknown = ofRepository.test(file)
    ? { ...identity, ...(written as object) }
    : written;
  if (!validate(policy)) throw schemaRefusal(document, policy, validate.errors ?? []);
  checkNames(document, policy, rules);
  return {
    ...otherwise,
    ...withoutIdentity(policy),
    modes: policy.modes === undefined ? otherwise.modes : new Map(Object.entries(policy.modes)),
    bypass: { ...otherwise.bypass, ...policy.bypass },
    budgets: { ...otherwise.budgets, ...policy.budgets },
    trusted: { ...otherwise.trusted, ...policy.trusted },
  };
}

function withoutIdentity(file: PolicyFile): Partial<Policy> {
  const { profile, enforce, undecided, unjudged, ratchet } = file;
  const { kubernetes, old, paths, promises, exemptions, crdify } = file;
  const options = typeof crdify === 'string' ? { crdifyFile: crdify } : { crdify };
  const lists = { kubernetes, old, paths, promises, exemptions, ...options };
  const given = { profile, enforce, undecided, unjudged, ratchet, ...lists };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const harmNames: ReadonlySet<string> = new Set(mildHarms);

function checkNames(document: Document, file: PolicyFile, rules: ReadonlySet<string>): void {
  const familyNames: ReadonlySet<string> = new Set(families);
  for (const name of Object.keys(file.modes ?? {})) {
    if (familyNames.has(name) || rules.has(name) || harmNames.has(name)) continue;
    throw unknownName(document, ['modes', name], name, 'check family or rule', [
      ...families,
      ...rules,
      ...mildHarms,
    ]);
  }
  for (const [index, promise] of (file.promises ?? []).entries()) {
    checkRules(document, ['promises', index], promise, rules);
  }
  for (const [index, exemption] of (file.exemptions ?? []).entries()) {
    checkExemption(document, ['exemptions', index], exemption, familyNames, rules);
  }
}

function checkExemption(
  document: Document,
  path: Path,
  exemption: Exemption,
  familyNames: ReadonlySet<string>,
  rules: ReadonlySet<string>,
): void {
  for (const [index, name] of (exemption.families ?? ([] as readonly Family[])).entries()) {
    if (!familyNames.has(name)) {
      throw unknownName(document, [...path, 'families', index], name, 'check family', families);
    }
  }
  checkRules(document, path, exemption, rules);
  if (exemption.until !== undefined && parseEnd(exemption.until) === undefined) {
    const message = `"${exemption.until}" is neither a date such as 2026-12-31 nor an RFC 3339 time such as 2026-12-31T00:00:00Z`;
    throw refusal(document, [...path, 'until'], message);
  }
}

function checkRules(
  document: Document,
  path: Path,
  entry: Pick<Exemption, 'rules'>,
  rules: ReadonlySet<string>,
): void {
  for (const [index, name] of (entry.rules ?? []).entries()) {
    // As reports print it: `ChangeValidator/MinimumRaised`.
    const [first, ...parts] = name.split('/');
    const isKnown =
      parts.length === 0
        ? rules.has(name) || ruleOfChange.has(name)
        : rules.has(first ?? '') && isQualifiedRuleName(first ?? '', parts.join('/'));
    if (!isKnown) {
      const names = [...rules, ...ruleOfChange.keys()];
      throw unknownName(document, [...path, 'rules', index], name, 'rule', names);
    }
  }
}

function unknownName(
  document: Document,
  path: Path,
  name: string,
  what: string,
  names: Iterable<string>,
): InvalidInputError {
  return refusal(document, path, `"${name}" is not a ${what}${didYouMean(name, names)}`);
}

function refusal(document: Document, path: Path, message: string): InvalidInputError {
  return invalidInput(message, document.placeOf(path));
}

function schemaRefusal(
  document: Document,
  value: unknown,
  errors: readonly ErrorObject[],
): InvalidInputError {
  const error = errors[0];
  if (error === undefined) return refusal(document, [], 'is not a policy');
  const path = pathOf(value, error.instancePath);
  const name = path.length === 0 ? 'the policy' : path.map(String).join('.');
  const parameters = error.params as Readonly<Record<string, unknown>>;
  const ofManager = path[0] === 'bypass' ? managerRefusal(error, name) : undefined;
  if (ofManager !== undefined) return refusal(document, path, ofManager);
  switch (error.keyword) {
    case 'additionalProperties': {
      const field = String(parameters['additionalProperty']);
      const schema = error.parentSchema as { properties?: object } | undefined;
      const near = didYouMean(field, Object.keys(schema?.properties ?? {}));
      return refusal(document, [...path, field], `there is no field "${field}" in ${name}${near}`);
    }
    case 'required': {
      // An anyOf reports one of these per alternative.
      if (path[0] === 'promises' && parameters['missingProperty'] !== 'mode') {
        const message = `${name} would match everything; give versions, paths, rules, deprecated or branches`;
        return refusal(document, path, message);
      }
      if (path[0] === 'exemptions') {
        const message = `${name} would exempt everything; give families, groups, names, rules or paths`;
        return refusal(document, path, message);
      }
      const top =
        path.length === 0
          ? '; begin it with "apiVersion: olm-guard.io/v1alpha1" and "kind: Policy"'
          : '';
      const field = String(parameters['missingProperty']);
      return refusal(document, path, `${name} needs the field "${field}"${top}`);
    }
    case 'enum':
      return refusal(
        document,
        path,
        `${name} must be one of ${oneOf(parameters['allowedValues'])}`,
      );
    case 'not':
      return refusal(
        document,
        path,
        `${name} still says FILL IN: write there why no object or client is affected, or take the exemption out`,
      );
    case 'const':
      return refusal(document, path, `${name} must be ${String(parameters['allowedValue'])}`);
    default:
      return refusal(document, path, `${name} ${error.message ?? 'does not fit the schema'}`);
  }
}

/** Requesters choose the name of their field manager: it proves nothing without the users who may use it. */
function managerRefusal({ keyword, data, params }: ErrorObject, name: string): string | undefined {
  if (!/^bypass\.managers\.\d/.test(name)) return undefined;
  if (keyword === 'type' && typeof data === 'string') {
    const example = `{ name: ${data}, users: [system:serviceaccount:NAMESPACE:NAME] }`;
    return `${name} is a bare name, which any requester may write; name its users too: ${example}`;
  }
  if (keyword === 'required' && params['missingProperty'] !== 'name') {
    return `${name} binds nobody; give users or groups`;
  }
  return keyword === 'not' ? `${name}: ${String(data)} is nearly everybody; name fewer` : undefined;
}

function oneOf(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join(', ') : String(values);
}

function pathOf(root: unknown, pointer: string): Path {
  let value = root;
  return readPointer(pointer).map((name) => {
    const step = Array.isArray(value) ? Number(name) : name;
    if (typeof value === 'object' && value !== null) {
      value = Object.hasOwn(value, step)
        ? (value as Record<string | number, unknown>)[step]
        : undefined;
    }
    return step;
  });
}
