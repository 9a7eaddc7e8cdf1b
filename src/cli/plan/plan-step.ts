/** One step of an upgrade: what it does to each definition, judged and decided as `check crd` does. */
import {
  type Collection,
  type FoundCrd,
  migrationFindings,
  storedVersionMigration,
} from '../../upgrade/index.js';
import type { ClusterView } from '../../cluster/index.js';
import { releaseFor, type TargetMinors } from '../../kubernetes/index.js';
import type { Policy } from '../../policy/index.js';
import type { Effect, Finding } from '../../rule/index.js';
import { groupBy } from '../../text/group.js';
import { own, sameJson } from '../../text/documents/index.js';
import {
  type CheckResult,
  countSeverities,
  gravityOf,
  type ExemptedFinding,
  type PlannedAudience,
  type PlannedDefinition,
  type PlannedState,
  type PlannedStep,
} from '../../report/index.js';
import { givenObjects } from '../check/stored-objects.js';
import { ObjectSources } from '../options/object-sources.js';
import { checkAdded, checkPair, checkRemoved, type PairContext } from '../../checks/index.js';

export interface StepContext {
  readonly policy: Policy;
  readonly minors: TargetMinors;
  readonly view: ClusterView | undefined;
  /** The definitions that the cluster has now: of others it stores nothing. Undefined: all of them. */
  readonly installed?: ReadonlySet<string>;
  /** Objects that may own the definitions. */
  readonly owners: ClusterView | undefined;
  /** Both sides are wholes of one kind, of which what is gone is deleted; OLM leaves it. */
  readonly isWhole: boolean;
}

type Definitions = Collection['crds'];
export type JudgedStep = Pick<PlannedStep, 'state' | 'definitions' | 'unchanged'>;

/** @param stored the versions that objects may be stored in; the step puts there what they are afterwards */
export async function planStep(
  before: Definitions,
  after: Definitions,
  stored: Map<string, readonly string[]>,
  context: StepContext,
): Promise<JudgedStep> {
  const definitions: PlannedDefinition[] = [];
  let unchanged = 0;
  for (const next of after.values()) {
    const known = before.get(next.name);
    if (known === undefined) {
      definitions.push(await planAdded(next, context));
      stored.set(next.name, storageOf(next));
      continue;
    }
    const old = withStored(known, stored.get(next.name));
    const migrated = storedAfter(old, next);
    if (sameJson(own(old.crd.document, 'spec') ?? null, own(next.crd.document, 'spec') ?? null))
      unchanged++;
    else definitions.push(await planChanged(old, next, migrated, context));
    stored.set(next.name, [...new Set([...migrated, ...storageOf(next)])]);
  }
  for (const old of before.values()) {
    if (!after.has(old.name)) definitions.push(await planRemoved(old, context));
  }
  definitions.sort((one, other) => states.indexOf(one.state) - states.indexOf(other.state));
  return { state: definitions[0]?.state ?? 'clear', definitions, unchanged };
}

/** The gravest first. */
const states: readonly PlannedState[] = ['blocked', 'migrate first', 'not checked', 'clear'];

async function planChanged(
  old: FoundCrd,
  next: FoundCrd,
  migrated: readonly string[],
  context: StepContext,
): Promise<PlannedDefinition> {
  const leaving = migrationFindings(old.crd.document, next.crd.document);
  const isMigratable =
    leaving.length > 0 && storageOf(old).every((each) => next.crd.version(each) !== undefined);
  const hasObjects = context.installed?.has(next.name) ?? true;
  const now = await judge(old, next, context, hasObjects ? context.view : undefined);
  // Without the versions that leave: whether writing the objects again is all that is to be done.
  const then =
    !isMigratable || now.verdict.allowed
      ? now
      : await judge(withStored(old, migrated), next, context, undefined);
  const state = then.verdict.allowed
    ? isMigratable
      ? 'migrate first'
      : 'clear'
    : ('blocked' as const);
  const rollback = rollbackOf(then);
  return {
    ...common(next),
    change: 'changed',
    state,
    audiences: audiencesOf(counted(now).filter((each) => staysAfter(each, then))),
    denied: state === 'blocked' ? denialsIn(then, isMigratable ? [] : leaving) : [],
    ...(isMigratable && {
      migration: {
        versions: leaving.flatMap(({ version }) => version ?? []),
        sentences: leaving.map(({ message }) => message),
      },
    }),
    rollback,
    exempted: exemptedIn(now),
    warnings: now.verdict.warnings,
  };
}

/** A finding that a migration ends is reported once, as the migration; harm to stored objects stays. */
function staysAfter(finding: Finding, { verdict }: CheckResult): boolean {
  const { rule, family, message } = finding;
  if (rule === storedVersionMigration.id) return false;
  return (
    family === 'stored-objects' ||
    verdict.findings.some((each) => each.rule === rule && each.message === message)
  );
}

function counted({ verdict, notes = [] }: CheckResult): Finding[] {
  return verdict.findings.filter((_finding, index) => notes[index]?.exempt === undefined);
}

/** Every reason by itself; @param first what comes before the others */
function denialsIn(judged: CheckResult, first: readonly Finding[] = []): string[] {
  const found = worstFirst(counted(judged));
  const errors = found.filter(({ severity }) => severity === 'error');
  const reasons = [...first, ...(errors.length > 0 ? errors : found.slice(0, 1))];
  return [...new Set(reasons.map(({ message }) => message))];
}

function exemptedIn({ verdict, notes = [] }: CheckResult): ExemptedFinding[] {
  return verdict.findings.flatMap(({ rule, message }, index) => {
    const exemption = notes[index]?.exempt;
    return exemption === undefined ? [] : [{ rule, message, exemption }];
  });
}

function judge(
  old: FoundCrd,
  next: FoundCrd,
  { policy, minors, owners }: StepContext,
  view: ClusterView | undefined,
): Promise<CheckResult> {
  return checkPair(old, next, {
    ...pairContext(policy, minors, owners),
    objects:
      view &&
      givenObjects(new ObjectSources(['cluster']), view, {
        onUnchecked: () => undefined,
        release: releaseFor(policy.kubernetes),
      }),
  });
}

async function planAdded(next: FoundCrd, context: StepContext): Promise<PlannedDefinition> {
  const { policy, minors, owners } = context;
  const judged = await checkAdded(next, pairContext(policy, minors, owners));
  return { ...planned(next, judged), change: 'added' };
}

async function planRemoved(old: FoundCrd, context: StepContext): Promise<PlannedDefinition> {
  const { policy, minors, owners, isWhole } = context;
  const how = pairContext(policy, minors, owners);
  return {
    ...planned(old, await checkRemoved(old, 'the older release', isWhole, how)),
    change: 'removed',
  };
}

function planned(definition: FoundCrd, judged: CheckResult): Omit<PlannedDefinition, 'change'> {
  const { verdict } = judged;
  return {
    ...common(definition),
    state: verdict.allowed ? 'clear' : 'blocked',
    audiences: audiencesOf(counted(judged)),
    denied: verdict.allowed ? [] : denialsIn(judged),
    exempted: exemptedIn(judged),
    warnings: verdict.warnings,
  };
}

function pairContext(
  policy: Policy,
  minors: TargetMinors,
  owners: ClusterView | undefined,
): PairContext {
  return {
    decision: { policy, owners, areCommentsHeard: true },
    minors,
    // Ways to change the release are for its author.
    fixes: { isFixWanted: false, repaired: [] },
    isRollbackWanted: true,
  };
}

function common({ name, crd }: FoundCrd) {
  return { name, isNamespaced: crd.scope !== 'Cluster' };
}

function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings
    .filter(({ family }) => family !== 'rollback')
    .toSorted((one, other) => gravityOf(one) - gravityOf(other));
}

function audiencesOf(findings: readonly Finding[]): PlannedAudience[] {
  const byAudience = groupBy(worstFirst(findings), ({ audience, family }) => audience ?? family);
  return [...byAudience].flatMap(([audience, all]) => {
    const [worst] = all;
    return worst === undefined ? [] : [{ audience, counts: countSeverities(all), worst }];
  });
}

function rollbackOf({ output }: CheckResult): PlannedDefinition['rollback'] {
  const { rollback } = output as { rollback?: { effect: Effect; message: string } };
  return rollback && { effect: rollback.effect, message: rollback.message };
}

/** As if the API server had noted these versions; those of a release that was just installed where they are not known. */
function withStored(found: FoundCrd, versions: readonly string[] | undefined): FoundCrd {
  const { crd } = found;
  return { ...found, crd: versions ? crd.withStoredVersions(versions) : crd.asInstalled() };
}

/** The stored versions after a migration out of those that the new definition does not have. */
function storedAfter(old: FoundCrd, next: FoundCrd): string[] {
  const { storedVersions: before } = old.crd;
  const left = before.filter((version) => next.crd.version(version) !== undefined);
  // A migration writes in the storage version, and can end in no other.
  return before.length === left.length ? left : [...new Set([...left, ...storageOf(old)])];
}

function storageOf({ crd: { storage } }: FoundCrd): string[] {
  return storage === undefined ? [] : [storage.name];
}
