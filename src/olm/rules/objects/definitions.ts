/** Definitions that several operators own, of which each depends on every served version; and those that a bundle breaks. */
import type { Finding } from '../../../rule/index.js';
import type { Csv } from '../../objects/classic-objects.js';
import { isRefusedByServer, servedVersionRemoved } from '../../../upgrade/index.js';
import { objectsAt } from '../../../text/documents/fields.js';
import { InvalidInputError, type JsonObject, metaOf } from '../../../text/documents/index.js';
import type { CatalogBundle } from '../../catalogs/catalog.js';
import { bundleCrds } from '../../catalogs/properties.js';
import { oncePer, attempt } from '../../once.js';
import type { RuleContext } from './rule.js';

/** The part of a ClusterServiceVersion that {@link isShared} reads. */
export type Owner = Pick<Csv, 'namespace' | 'name' | 'replaces'>;

/** ClusterServiceVersions that replace each other in a namespace count once: they are one operator. */
export function isShared(owners: readonly Owner[]): boolean {
  const key = (namespace: string, name: string): string => `${namespace}/${name}`;
  const replaced = new Set(owners.map(({ namespace, replaces }) => key(namespace, replaces)));
  const all = new Set(owners.map(({ namespace, name }) => key(namespace, name)));
  return [...all].filter((each) => !replaced.has(each)).length > 1;
}

/**
 * A removed version is an error where several ClusterServiceVersions own the definition. All other
 * findings stay as they are.
 *
 * Source: OpenShift documentation, "Operator multitenancy" and "CRD upgrades": all currently served
 * versions must be present in the new definition when several ClusterServiceVersions own it.
 *
 * @param owners asked for only when a version is removed
 */
export function escalateForSharedOwners(
  findings: readonly Finding[],
  owners: () => readonly Owner[],
): readonly Finding[] {
  const isAsked = findings.some(({ rule }) => rule === servedVersionRemoved.id);
  if (!isAsked || !isShared(owners())) return findings;
  return findings.map(escalateShared);
}

/** The same for a definition that is known to be shared. */
export function escalateShared(finding: Finding): Finding {
  if (finding.rule !== servedVersionRemoved.id) return finding;
  const message = `${finding.message}; several ClusterServiceVersions own the definition, and each may need the version`;
  return { ...finding, severity: 'error', message };
}

interface BrokenDefinition {
  readonly definition: string;
  readonly problem: string;
}

/** A review finds its comparisons again by the objects themselves. */
const definitionsOf = oncePer(bundleCrds);

/** The first problem of each, by the policy's usual principle: only harm to objects counts. */
export function brokenDefinitions(
  bundle: CatalogBundle,
  {
    view,
    crdSafety,
  }: Pick<RuleContext, 'crdSafety'> & { view: Pick<RuleContext['view'], 'lookUp'> },
): BrokenDefinition[] {
  return (definitionsOf(bundle) ?? []).flatMap((next) => {
    const definition = metaOf(next).name;
    const current = view.lookUp('CustomResourceDefinition', definition);
    if (!current || objectsAt(current, 'spec', 'versions').length === 0) return [];
    const problem = harmIn(crdSafety, current, next);
    return problem === undefined ? [] : [{ definition, problem }];
  });
}

function harmIn(
  crdSafety: RuleContext['crdSafety'],
  current: JsonObject,
  next: JsonObject,
): string | undefined {
  const findings = attempt(InvalidInputError, () => crdSafety(current, next));
  if (findings instanceof InvalidInputError) {
    return findings.code === 'E_LIMIT' ? `it cannot be judged: ${findings.message}` : undefined;
  }
  const found = findings.find(isHarm);
  return found && `${found.rule}: ${found.message}`;
}

const harmful: readonly (string | undefined)[] = ['breaking', 'data-loss', 'undecided'];

function isHarm({
  rule,
  severity,
  effect,
  harm,
  unprovable,
  audience = 'objects',
}: Finding): boolean {
  if (severity !== 'error') return false;
  if (isRefusedByServer(rule) || unprovable === true) return true;
  return audience === 'objects' && harm === undefined && harmful.includes(effect);
}
