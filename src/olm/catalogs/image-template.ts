/**
 * The image of a CatalogSource that follows the cluster's version: annotation `olm.catalogImageTemplate`.
 * Rule: operator-lifecycle-manager 0.46 `catalogtemplate` and `catalogsource.ReplaceTemplates`. Templates of
 * other resources (`{group:…,jsonpath:…}`), which OpenShift's documentation mentions, have never existed.
 */
import { readUint64 } from '../../text/versions/index.js';

interface Condition {
  readonly type: 'TemplatesHaveResolved' | 'ResolvedImage';
  readonly status: 'True' | 'False';
  readonly reason: 'AllTemplatesResolved' | 'UnableToResolve';
  readonly message: string;
}

export interface ImageTemplateResult {
  readonly participates: boolean;
  readonly processed: string;
  /** Templates without a value, as often as they occur. */
  readonly unresolved: readonly string[];
  readonly invalidSyntax: boolean;
  readonly referenceError?: string;
  readonly conditions: readonly Condition[];
  readonly removeConditions: readonly Condition['type'][];
  readonly specImage: string;
  readonly specChanged: boolean;
}

const template = /\{kube_(major|minor|patch)_version\}/g;

/** @param gitVersion absent while it was never read */
export function resolveImageTemplate(
  text: string | undefined,
  gitVersion: string | undefined,
  specImage: string,
): ImageTemplateResult {
  if (text === undefined || text === '') {
    return {
      participates: false,
      processed: '',
      unresolved: [],
      invalidSyntax: false,
      conditions: [],
      removeConditions: ['TemplatesHaveResolved', 'ResolvedImage'],
      specImage,
      specChanged: false,
    };
  }
  const version = gitVersion === undefined ? undefined : serverVersion(gitVersion);
  const unresolved: string[] = [];
  const processed = text.replaceAll(template, (match, part: keyof ServerVersion) => {
    if (version !== undefined) return version[part];
    unresolved.push(match);
    return 'missing';
  });
  const referenceError = literalReferenceError(processed);
  const resolved = unresolved.length === 0 && referenceError === undefined;
  return {
    participates: true,
    processed,
    unresolved,
    invalidSyntax: referenceError !== undefined,
    referenceError,
    conditions: conditions(processed, unresolved, referenceError !== undefined),
    removeConditions: [],
    specImage: resolved ? processed : specImage,
    specChanged: resolved && processed !== specImage,
  };
}

function conditions(
  processed: string,
  unresolved: readonly string[],
  invalidSyntax: boolean,
): Condition[] {
  const resolved = unresolved.length === 0 && !invalidSyntax;
  const state = resolved
    ? ({ status: 'True', reason: 'AllTemplatesResolved' } as const)
    : ({ status: 'False', reason: 'UnableToResolve' } as const);
  const message = resolved
    ? 'catalog image reference was successfully resolved'
    : `cannot construct catalog image reference, because ${problems(unresolved, invalidSyntax)}`;
  return [
    { type: 'TemplatesHaveResolved', ...state, message },
    { type: 'ResolvedImage', ...state, message: processed },
  ];
}

function problems(unresolved: readonly string[], invalidSyntax: boolean): string {
  const variables = unresolved.map((name) => `"${name}"`).join(', ');
  return [
    ...(unresolved.length > 0 ? [`variable(s) ${variables} could not be resolved`] : []),
    ...(invalidSyntax ? ['one or more template(s) has improper syntax'] : []),
  ].join(' and ');
}

interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly patch: string;
}

const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const semantic = new RegExp(
  `^[\\t\\n\\f\\r ]*v?([0-9]+)\\.([0-9]+)\\.([0-9]+)(?:-(${identifiers}))?(?:\\+${identifiers})?[\\t\\f\\r ]*$`,
);

/** Rule: k8s.io/apimachinery `version.ParseSemantic`: blanks and a `v` are forgiven, leading zeros are not. */
function serverVersion(text: string): ServerVersion | undefined {
  const [, major = '', minor = '', patch = '', prerelease = ''] = semantic.exec(text) ?? [];
  const isNumber = (digits: string): boolean => readUint64(digits) !== undefined;
  const hasLeadingZero = (digits: string): boolean => digits !== '0' && digits.startsWith('0');
  const numbers = [major, minor, patch];
  if (!numbers.every(isNumber) || numbers.some(hasLeadingZero)) return undefined;
  const tags = prerelease.split('.').filter(isNumber);
  return tags.some(hasLeadingZero) ? undefined : { major, minor, patch };
}

const MAX_PATH_BYTES = 255;

const domainComponent = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)';
const host = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])`;
const domain = `${host}(?::[0-9]+)?`;
const pathComponent = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const path = `${pathComponent}(?:/${pathComponent})*`;
const tag = '[0-9A-Za-z_][0-9A-Za-z_.-]{0,127}';
const algorithm = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*';
const digest = `${algorithm}:[0-9a-fA-F]{32,}`;

const reference = new RegExp(`^((?:${domain}/)?${path})(?::${tag})?(?:@(${digest}))?$`);
const named = new RegExp(`^(?:${domain}/)?(${path})$`);
const digestForm = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$/;

/** Hexadecimal digits of the digests that can be checked. */
const digestLengths = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** Undefined when it is one. Rule: distribution/reference 0.6 `Parse`, and go-digest for what follows @. */
function literalReferenceError(text: string): string | undefined {
  const match = reference.exec(text);
  if (match === null) {
    if (text === '') return 'repository name must have at least one component';
    return reference.test(lowerCase(text))
      ? 'repository name must be lowercase'
      : 'invalid reference format';
  }
  const name = match[1] ?? '';
  const repository = named.exec(name)?.[1] ?? name;
  if (repository.length > MAX_PATH_BYTES) {
    return `repository name must not be more than ${MAX_PATH_BYTES} characters`;
  }
  return match[2] === undefined ? undefined : digestError(match[2]);
}

function digestError(text: string): string | undefined {
  const separator = text.indexOf(':');
  const encoded = text.slice(separator + 1);
  const length = digestLengths.get(text.slice(0, separator));
  if (length === undefined) {
    return digestForm.test(text)
      ? 'unsupported digest algorithm'
      : 'invalid checksum digest format';
  }
  if (encoded.length !== length) return 'invalid checksum digest length';
  return /^[a-f0-9]+$/.test(encoded) ? undefined : 'invalid checksum digest format';
}

/** Go lowers U+0130 to a plain i, JavaScript to an i with a dot above. */
function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}
