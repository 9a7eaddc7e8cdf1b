/** Requirements on bundles, in OLM's words. Rule: `resolver/cache/predicates.go` of OLM classic. */
import type { Version, VersionPredicate } from '../../text/versions/index.js';
import type { CelProperty, CelRule } from './cel.js';
import type { JsonValue } from '../../text/documents/index.js';
import { textField } from '../catalogs/properties.js';

export type Predicate =
  | { readonly kind: 'gvk'; readonly api: Api }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'version'; readonly range: string; readonly includes: VersionPredicate }
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'cel'; readonly rule: CelRule; readonly message: string }
  | { readonly kind: 'all' | 'any' | 'not'; readonly parts: readonly Predicate[] };

export interface BundleFacts {
  /** From every readable olm.package property. */
  readonly packages: readonly { readonly name: string; readonly version: Version | undefined }[];
  readonly apis: readonly string[];
  readonly labels: readonly string[];
  readonly version: Version | undefined;
  readonly properties: readonly CelProperty[];
}

/** `sourcePackage` is the package in whose catalog folder the bundle lies. */
export function matches(predicate: Predicate, bundle: BundleFacts, sourcePackage: string): boolean {
  switch (predicate.kind) {
    case 'gvk':
      return bundle.apis.includes(apiKey(predicate.api));
    case 'package':
      return (
        sourcePackage === predicate.name ||
        bundle.packages.some(({ name }) => name === predicate.name)
      );
    case 'version': {
      const { includes } = predicate;
      return (
        bundle.packages.some(({ version }) => version !== undefined && includes(version)) ||
        (bundle.version !== undefined && includes(bundle.version))
      );
    }
    case 'label':
      return bundle.labels.includes(predicate.label);
    case 'cel':
      return predicate.rule.holds(bundle.properties);
    case 'all':
      return predicate.parts.every((part) => matches(part, bundle, sourcePackage));
    case 'any':
      return predicate.parts.some((part) => matches(part, bundle, sourcePackage));
    case 'not':
      return !predicate.parts.some((part) => matches(part, bundle, sourcePackage));
  }
}

/** OLM's words, which lack the leading "not" of a negation. */
export function describePredicate(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'gvk': {
      const { group, version, kind } = predicate.api;
      return `providing an API with group: ${group}, version: ${version}, kind: ${kind}`;
    }
    case 'package':
      return `with package: ${predicate.name}`;
    case 'version':
      return `with version in range: ${predicate.range}`;
    case 'label':
      return `with label: ${predicate.label}`;
    case 'cel':
      return `with constraint: ${JSON.stringify(predicate.rule.text)} and message: ${JSON.stringify(predicate.message)}`;
    case 'all':
      return predicate.parts.map(describePredicate).join(' and ');
    case 'any':
      return predicate.parts.map(describePredicate).join(' or ');
    case 'not':
      return predicate.parts.map(describePredicate).join(' and not ');
  }
}

export function packagePredicate(
  name: string,
  range: string,
  includes: VersionPredicate,
): Predicate {
  return {
    kind: 'all',
    parts: [
      { kind: 'package', name },
      { kind: 'version', range, includes },
    ],
  };
}

/** Group, version and kind; case counts. */
export interface Api {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export function apiKey({ group, version, kind }: Api): string {
  return `${group}\n${version}\n${kind}`;
}

/** OLM's form: `Kind (group/version)`. */
export function formatApi({ group, version, kind }: Api): string {
  return `${kind} (${group}/${version})`;
}

export function formatApiKey(key: string): string {
  const [group = '', version = '', kind = ''] = key.split('\n');
  return formatApi({ group, version, kind });
}

export function readApi(value: JsonValue): Api {
  const text = (name: string): string => textField(value, name);
  return { group: text('group'), version: text('version'), kind: text('kind') };
}
