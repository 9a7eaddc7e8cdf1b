/** `olm-guard check crd OLD NEW`: the webhook's judgement before anything is applied. */
import { Command } from 'commander';
import { type Collection, type FoundCrd, pairCrds, proveUpgrade } from '../../upgrade/index.js';
import { minorsByDefault, releaseFor } from '../../kubernetes/index.js';
import { InvalidInputError, invalidInput } from '../../text/documents/index.js';
import {
  acknowledgedBy,
  expiredWarning,
  idleExemptions,
  shortNameOf,
  type JudgedSubject,
  policyWarnings,
  profiles,
  rollbackMode,
  type Policy,
  type Profile,
} from '../../policy/index.js';
import { type CheckResult, renderDerivation, formats } from '../../report/index.js';
import {
  checkAdded,
  checkPair,
  checkRemoved,
  subjectOf,
  type PairContext,
  hintsAtPrompt,
  hintsForReaders,
} from '../../checks/index.js';
import {
  aboutOld,
  allFromStart,
  comparedSources,
  type ComparedSources,
  release,
} from './compared-sources.js';
import type { ClusterOptions } from '../options/cluster-option.js';
import { areWholes, readDefinitions, readOldDefinitions } from '../options/crd-source.js';
import { minorsFor, withMinors } from '../options/kubernetes-option.js';
import {
  decidingPolicy,
  type DecisionOptions,
  openPolicy,
  policyWarning,
  type LoadedPolicy,
  withTargetBranch,
} from '../options/policy-option.js';
import { readPossibleConsumers, givenObjects } from './stored-objects.js';
import { ObjectSources } from '../options/object-sources.js';
import { startOfBranch } from '../../text/documents/git-revision.js';
import { startReport, type ReportOutput } from '../report-output.js';
import { print, printError } from '../output.js';
import { append } from '../../text/long-lists.js';
import { flags, withFlags, several, type NetworkOptions } from '../options/flags.js';

interface Options extends ClusterOptions, DecisionOptions, NetworkOptions {
  readonly profile?: Profile;
  readonly policy?: string;
  readonly old?: string;
  readonly fix?: string;
  readonly objects: readonly string[];
  readonly consumers: readonly string[];
  readonly kubernetes?: string;
  readonly rollback?: boolean;
  readonly explain?: boolean;
  readonly writeExemptions?: boolean;
  readonly unchecked: 'fail' | 'warn';
  readonly output: string;
}

export function checkCrdCommand(): Command {
  const command = new Command('crd').description(
    'compare two releases of CustomResourceDefinitions by the rules of OLM v1',
  );
  return withFlags(command, {
    '[old]':
      "file, folder, bundle, git:REF:path, go:FOLDER (Go types), - (standard input) or cluster:NAME (default: the policy's, else git:origin/main)",
    '[new]':
      "the proposed release: a file, folder, bundle, git:REF:path, go:FOLDER or -; a single argument is NEW (default: the policy's paths)",
    ...flags.profile(profiles),
    ...flags.kubeconfig('the cluster of cluster:NAME (default: as kubectl)'),
    '--state <folder>': 'a folder of YAML files in place of the cluster of cluster:NAME',
    '--old <source>':
      "OLD of all paths: release (the newest release tag that HEAD contains), git:REF, git:merge-base or any OLD (default: the policy's)",
    ...flags.webhookPolicy,
    '--fix <file>':
      'write NEW, changed so that, if possible, no object breaks; to a folder, one file for each definition',
    '--objects <source>': several(
      'stored objects to judge too: a file, folder, kustomization, chart, git:REF:path, - or cluster',
    ),
    '--consumers <source>': several(
      'who relies on the definitions: a file, folder, kustomization, chart, git:REF:path or cluster',
    ),
    ...{
      ...flags.network,
      ...flags.strict,
      ...flags.acknowledge,
      ...flags.all,
      ...flags.kubernetes(),
    },
    '--write-exemptions':
      'add what is denied to the policy file (--policy, else .olm-guard.yaml): an exemption for each rule and definition, at the paths found, for 90 days, with a reason to fill in',
    '--rollback': 'report whether OLD can be restored after NEW is installed, and until when',
    '--explain': 'explain for every difference why it is safe, or what it breaks (text only)',
    ...flags.unchecked(
      'when a part of OLD or NEW cannot be read: exit with 2, or only report it',
      'warn',
    ),
    ...flags.output(formats),
  }).action(checkCrd);
}

async function checkCrd(
  first: string | undefined,
  second: string | undefined,
  options: Options,
): Promise<void> {
  const named = [first, second].filter((source) => source !== undefined);
  const loaded = await openPolicy(options.policy);
  const asked = await minorsFor(options.kubernetes ?? loaded.policy.kubernetes, options);
  const decided = withMinors(decidingPolicy(loaded, options), asked);
  const wanted = comparedSources(named, await withPaths(loaded, named, options), options.old);
  const policy = await withTargetBranch(
    { ...decided, profile: options.profile ?? decided.profile },
    wanted[0]?.old,
  );
  const report = startReport('CustomResourceDefinitions', options.output, {
    isAllListed: options.all === true,
  });
  const counts = { allowed: 0, denied: 0, added: 0, removed: 0, otherDocuments: 0 };
  const run: Run = {
    report,
    counts,
    judged: [],
    acknowledged: 0,
    derived: [],
    warnings: new Set(),
    notes: new Set(),
    unchecked: new Set(),
    comparedWith: new Set(),
    objects: new ObjectSources(options.objects, options),
    policy,
    loaded,
    minors: asked ?? minorsByDefault(),
    isRollbackWanted: options.rollback === true || rollbackMode(policy) !== undefined,
    fixes: {
      isFixWanted: options.fix !== undefined,
      repaired: [],
      hints: options.output === 'text' ? hintsAtPrompt() : hintsForReaders(),
    },
  };
  try {
    await run.objects.requireFiles();
    const all = await allFromStart(wanted, loaded);
    for (const sources of all) await compare(sources, options, run);
    const base = await policyBase(wanted[0], all[0]);
    const tally = run.acknowledged === 0 ? counts : { ...counts, acknowledged: run.acknowledged };
    const warnings = [
      ...(asked?.warnings ?? []),
      ...run.notes,
      ...(await policyWarning(options.policy, loaded, base.old, options.output, base.isStart)),
    ];
    if (options.fix !== undefined) {
      const { writeFixes } = await import('./fix-file.js');
      const denied = run.judged
        .flatMap(({ findings }) => findings)
        .filter(({ severity }) => severity === 'error');
      await writeFixes(options.fix, run.fixes.repaired, new Set(denied.map(({ rule }) => rule)));
    }
    const unchecked = [...run.unchecked];
    const comparedWith = [...run.comparedWith];
    await report.end(tally, {
      warnings,
      unchecked,
      comparedWith,
      isFailure: isFailure(options, run),
    });
  } catch (error) {
    await report.fail(errorJson(error));
    throw error;
  }
  for (const warning of idlePolicy(policy, run)) printError(`olm-guard: ${warning}`);
  if (options.writeExemptions === true) {
    const { writeExemptions } = await import('./write-exemptions.js');
    await writeExemptions(run.judged, options.policy, new Date());
  }
  if (options.explain === true && options.output === 'text') {
    for (const pair of run.derived) {
      await print(
        renderDerivation(pair.new.name, proveUpgrade(pair.old.crd, pair.new.crd).results),
      );
    }
  }
  if (options.output !== 'text') {
    for (const sentence of run.unchecked) printError(`olm-guard: ${sentence}`);
  }
  process.exitCode = counts.denied > 0 ? 1 : isFailure(options, run) ? 2 : 0;
}

/** A repository's own policy that names OLD and no paths is about all definitions of the repository. */
async function withPaths(
  loaded: LoadedPolicy,
  named: readonly string[],
  options: Options,
): Promise<LoadedPolicy> {
  const { policy, file } = loaded;
  const isAsked = named.length === 0 && policy.paths === undefined && options.policy === undefined;
  if (!isAsked || file === undefined || (options.old ?? policy.old) === undefined) return loaded;
  const { definitionPaths } = await import('../init.js');
  const paths = await definitionPaths(file);
  return paths === undefined ? loaded : { ...loaded, policy: { ...policy, paths } };
}

/** The commit whose policy the change could not write: a release may have had another one for good reasons. */
async function policyBase(
  named: ComparedSources | undefined,
  found: ComparedSources | undefined,
): Promise<{ readonly old: string | undefined; readonly isStart: boolean }> {
  const compared = { old: found?.old, isStart: false };
  // An OLD that the policy names is as much the author's as the policy.
  if (named === undefined || (named.old !== release && isNamed(named))) return compared;
  return startOfBranch('git:merge-base:').then(
    ({ source }) => ({ old: source, isStart: true }),
    () => compared,
  );
}

/** Whether the command line says which commit is compared with. */
function isNamed({ oldIsOf, note }: ComparedSources): boolean {
  return oldIsOf === undefined && note === undefined;
}

function isFailure(options: Options, { unchecked }: Run): boolean {
  return options.unchecked === 'fail' && unchecked.size > 0;
}

interface Run extends Pick<PairContext, 'minors' | 'fixes' | 'isRollbackWanted'> {
  readonly policy: Policy;
  /** For `--write-exemptions`, and for warnings about exemptions that exempt nothing. */
  readonly judged: JudgedSubject[];
  readonly report: ReportOutput;
  acknowledged: number;
  readonly loaded: LoadedPolicy;
  readonly objects: ObjectSources;
  readonly counts: Record<'allowed' | 'denied' | 'added' | 'removed' | 'otherDocuments', number>;
  readonly warnings: Set<string>;
  readonly notes: Set<string>;
  readonly unchecked: Set<string>;
  readonly comparedWith: Set<string>;
  readonly derived: { readonly old: FoundCrd; readonly new: FoundCrd }[];
}

async function compare(sources: ComparedSources, options: Options, run: Run): Promise<void> {
  const { report, counts } = run;
  const next = await readDefinitions(sources.new, options);
  const found = await readOldDefinitions(sources.old, next, options).catch(
    async (error: unknown) => {
      throw await aboutOld(error, sources, run.loaded);
    },
  );
  const { collection: old, isPathNew = false, movedFrom, view, owners, close } = found;
  try {
    const pairs = pairCrds(old, next, sources);
    const unnamed = movedFrom ?? (isNamed(sources) ? [] : [sources.old]);
    if (old.crds.size > 0) for (const source of unnamed) run.comparedWith.add(source);
    if (pairs.changed.length === 0) {
      const sentence = `nothing was compared: ${whyNot(old, sources.old)}`;
      // A commit may have had nothing there yet.
      const isOldEmpty = /^(?:go:)?git:/.test(sources.old) && old.crds.size === 0;
      if (!isOldEmpty) printError(`olm-guard: ${sentence}`);
      else if (isPathNew) run.notes.add(`${sources.old} does not exist: ${allAdded}`);
      else run.unchecked.add(sentence);
    }
    const given = run.objects;
    if (given.hasStandardInput && pairs.changed.length > 1) {
      throw invalidInput(
        '--objects - can be read for one definition only; name a file or a folder',
      );
    }
    const tell = async (result: CheckResult): Promise<void> => {
      counts[result.verdict.allowed ? 'allowed' : 'denied']++;
      const { acknowledged } = run.policy;
      const name = acknowledged === undefined ? undefined : acknowledgedBy(acknowledged);
      const findings = result.verdict.findings.filter(({ decidedBy }) => decidedBy === name);
      if (name !== undefined) run.acknowledged += findings.length;
      for (const warning of result.verdict.warnings) run.warnings.add(warning);
      await report.result(result);
    };
    const onUnchecked = (sentence: string): void => void run.unchecked.add(sentence);
    for (const { name, madeFrom } of options.fix === undefined ? [] : next.crds.values()) {
      if (madeFrom === undefined) continue;
      printError(`olm-guard: fix: ${name} is made of a ${madeFrom.kind}, which is not changed`);
    }
    const onHarmed = report.object?.bind(report);
    const { policy } = run;
    const possibleConsumers = await readPossibleConsumers(options, view, (sentence) =>
      run.unchecked.add(sentence),
    );
    const release = releaseFor(policy.kubernetes);
    const context: PairContext = {
      ...run,
      possibleConsumers,
      decision: { policy, owners, areCommentsHeard: options.policy === undefined },
      objects:
        given.names.length === 0
          ? undefined
          : givenObjects(given, view, { onUnchecked, onHarmed, release }),
    };
    for (const pair of pairs.changed) {
      const result = await checkPair(pair.old, pair.new, context);
      const { findings } = result.verdict;
      run.judged.push({ subject: subjectOf(pair.old), findings });
      await tell(result);
    }
    for (const added of pairs.added) await tell(await checkAdded(added, context));
    const isWhole = areWholes(found, next);
    for (const removed of pairs.removed) {
      const result = await checkRemoved(removed, sources.old, isWhole, context);
      run.judged.push({ subject: subjectOf(removed), findings: result.verdict.findings });
      await tell(result);
    }
    counts.added += pairs.added.length;
    counts.removed += pairs.removed.length;
    counts.otherDocuments += old.otherDocuments + next.otherDocuments;
    for (const sentence of [...(old.unchecked ?? []), ...(next.unchecked ?? [])]) {
      run.unchecked.add(sentence);
    }
    append(run.derived, pairs.changed);
  } finally {
    close();
  }
}

/** Exemptions of the policy that match nothing, or exempt no longer; each once, also beside a denial. */
function idlePolicy(policy: Policy, { judged, warnings }: Run): string[] {
  const idle = idleExemptions(policy.exemptions, judged);
  const said = policy.exemptions.filter((each) => warnings.has(expiredWarning(each)));
  return [
    ...idle.map(({ exemption, why }) => `${shortNameOf(exemption)} ${why}`),
    ...policyWarnings(
      policy,
      new Date(),
      new Set([...idle.map(({ exemption }) => exemption), ...said]),
    ),
  ];
}

const allAdded = 'every definition in NEW counts as added';

function whyNot({ crds }: Collection, source: string): string {
  return crds.size === 0
    ? `${source} has no CustomResourceDefinition: ${allAdded}`
    : `OLD and NEW have no CustomResourceDefinition in common`;
}

/** An error as scripts read it everywhere. */
function errorJson(error: unknown): object {
  if (!(error instanceof InvalidInputError)) return { message: String(error) };
  const { code, message, where } = error;
  return { code, message, ...(Object.keys(where).length === 0 ? {} : { where }) };
}
