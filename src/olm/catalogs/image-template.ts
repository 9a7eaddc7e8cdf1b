/**
 * The image of a CatalogSource that follows the cluster's version: annotation `olm.catalogImageTemplate`.
 * Rule: operator-lifecycle-manager 0.46 `catalogtemplate` and `catalogsource.ReplaceTemplates`. Templates of
 * other resources (`{group:…,jsonpath:…}`), which OpenShift's documentation mentions, have never existed.
 */
import { readUint64 } from '../../text/versions/index.js';
import { literalReferenceError } from './literal-image-reference.js';

interface Condition {
  readonly type: 'TemplatesHaveResolved' | 'ResolvedImage';
  readonly status: 'True' | 'False';
  readonly reason: 'AllTemplatesResolved' | 'UnableToResolve';
  readonly message: string;
}

export interface ImageTemplateResult {
  /** Whether there is a template at all. */
  readonly participates: boolean;
  readonly processed: string;
  /** Templates without a value, as often as they occur. */
  readonly unresolved: readonly string[];
  readonly invalidSyntax: boolean;
  readonly referenceError?: string;
  readonly conditions: readonly Condition[];
  /** Condition types that are taken away. */
  readonly removeConditions: readonly Condition['type'][];
  /** `spec.image` after the sync. */
  readonly specImage: string;
  readonly specChanged: boolean;
}

const template = /\{kube_(major|minor|patch)_version\}/g;

/**
 * @param text the annotation; absent or "" when the CatalogSource has none
 * @param gitVersion the API server's `gitVersion`; absent while it was never read
 */
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
