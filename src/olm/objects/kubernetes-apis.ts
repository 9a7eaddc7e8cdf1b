/** kubernetes-apis.json is made of Kubernetes' lifecycle methods by test/reference/removed-apis. */
import table from './kubernetes-apis.json' with { type: 'json' };
import { newestMinor } from '../../kubernetes/index.js';

/** The table is made of the sources of the newest known minor; what is later is a plan. */
const newest = Number(newestMinor.split('.')[1]);

interface ApiKind {
  /** `""` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Minors of Kubernetes 1. */
  readonly deprecated?: number;
  readonly removed?: number;
  /** `networking.k8s.io/v1 Ingress` */
  readonly replacement?: string;
}

const kinds: readonly ApiKind[] = table;
const byName: ReadonlyMap<string, ApiKind> = new Map(
  kinds.map((each) => [`${each.group}/${each.version}/${each.kind}`, each] as const),
);

const byResource = new Map<string, ApiKind[]>();
for (const each of kinds) {
  const key = `${each.group}/${guessPlural(each.kind)}`;
  byResource.set(key, [...(byResource.get(key) ?? []), each]);
}

export function apiKind(apiVersion: string, kind: string): ApiKind | undefined {
  const name = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return byName.get(`${name}/${kind}`);
}

/** The last version, where none is left in the newest minor; undefined for what is not Kubernetes' own. */
export function removedResource(group: string, resource: string): ApiKind | undefined {
  const [name = ''] = resource.split('/');
  const versions = byResource.get(`${group}/${name}`) ?? [];
  if (versions.some((each) => !isGone(each))) return undefined;
  return [...versions].sort((a, b) => (b.removed ?? 0) - (a.removed ?? 0))[0];
}

export function isGone({ removed }: ApiKind): boolean {
  return removed !== undefined && removed <= newest;
}

export function isDeprecated({ deprecated }: ApiKind): boolean {
  return deprecated !== undefined && deprecated <= newest;
}

/** `is gone since Kubernetes 1.25`, with what takes its place. */
export function lifecycleText(api: ApiKind): string {
  const { removed, deprecated, replacement } = api;
  const instead = replacement === undefined ? '' : `; use ${replacement}`;
  if (isGone(api)) return `is gone since Kubernetes 1.${removed}${instead}`;
  const end = removed === undefined ? '' : ` and to be removed in 1.${removed}`;
  return `is deprecated since Kubernetes 1.${deprecated}${end}${instead}`;
}

/** k8s.io/apimachinery meta.UnsafeGuessKindToResource: lower case, and an English plural. */
export function guessPlural(kind: string): string {
  const name = kind.toLowerCase();
  if (name.endsWith('endpoints')) return name;
  if (name.endsWith('s')) return `${name}es`;
  if (name.endsWith('y')) return `${name.slice(0, -1)}ies`;
  return `${name}s`;
}
