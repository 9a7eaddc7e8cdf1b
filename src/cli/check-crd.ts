/** `olm-guard check crd OLD NEW`: the webhook's judgement before anything is applied. */
import { Argument, Command, Option } from 'commander';
import { ownersOf } from '../admission/owners.js';
import type { ClusterView } from '../cluster/view.js';
import type { FoundCrd } from '../crd/collect.js';
import { repairUpgrade } from '../crd/fixes/repair.js';
import { refusedByKubernetes } from '../crd/index.js';
import { proveUpgrade, type ProofResult } from '../crd/proof.js';
import { pairCrds } from '../crd/pairs.js';
import { storedRuleNames } from '../crd/stored/index.js';
import { InvalidInputError, isObject, own, type JsonObject } from '../documents/index.js';
import type { Verdict } from '../finding.js';
import { evaluateBypasses } from '../policy/bypass.js';
import { decide } from '../policy/decide.js';
import { explainDecision } from '../policy/explain.js';
import { guarantee } from '../policy/guarantees.js';
import { profiles, type Policy, type Profile } from '../policy/policy.js';
import type { CheckResult } from '../report/check-report.js';
import { codeFrame } from '../report/code-frame.js';
import { renderDerivation } from '../report/derivation.js';
import { formats, render, wantsColours } from '../report/render.js';
import type { ClusterOptions } from './cluster-option.js';
import { judgePair, type PairJudgement } from './crd-judgement.js';
import { writeFixes, type Repaired } from './fix-file.js';
import { placeOf, readDefinitions, readOldDefinitions } from './crd-source.js';
import { loadPolicy } from './policy-option.js';
import { checkObjects } from './stored-objects.js';

interface Options extends ClusterOptions {
  readonly profile?: Profile;
  readonly policy?: string;
  readonly fix?: string;
  readonly objects?: string;
  readonly explain?: boolean;
  readonly output: string;
}

export function checkCrdCommand(): Command {
  return new Command('crd')
    .description('compare two releases of CustomResourceDefinitions by the rules of OLM v1')
    .addArgument(
      new Argument(
        '<old>',
        'file, folder, bundle, git:REF:path, - (standard input) or cluster:NAME',
      ),
    )
    .addArgument(
      new Argument('<new>', 'what is proposed: a file, folder, bundle, git:REF:path or -'),
    )
    .addOption(
      new Option('--profile <name>', "whose rules (default: the policy's, else olm-v1)").choices([
        ...profiles,
      ]),
    )
    .option('--kubeconfig <file>', 'where cluster:NAME is (default: as kubectl)')
    .option('--context <name>', 'which context of the kubeconfig')
    .option('--state <folder>', 'cluster:NAME is in this folder of YAML files')
    .option('--policy <file>', 'what to deny, warn about and exempt, as the webhook would')
    .option('--fix <file>', 'write NEW changed so that no object breaks, where that is possible')
    .option('--objects <source>', 'stored objects to judge too: a file, a folder, - or cluster')
    .option('--explain', 'tell of every difference why it is safe, or what it breaks (text only)')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices([...formats]).default('text'),
    )
    .action(async (oldSource: string, newSource: string, options: Options) => {
      const policy = await loadPolicy(options.policy);
      const profile = options.profile ?? policy.profile;
      const fresh = await readDefinitions(newSource);
      const { collection: old, view, close } = await readOldDefinitions(oldSource, fresh, options);
      const sources = { old: oldSource, new: newSource };
      const pairs =
        oldSource === 'cluster:' && old.crds.size === 0
          ? { changed: [], added: [...fresh.crds.values()], removed: [] }
          : pairCrds(old, fresh, sources);
      const repaired: Repaired[] = [];
      const { objects } = options;
      const isFixWanted = options.fix !== undefined;
      const context = { profile, policy, view, isFixWanted, repaired, objects };
      if (objects === '-' && pairs.changed.length > 1) {
        throw new InvalidInputError(
          'E_INPUT',
          '--objects - can be read for one definition only; name a file or a folder',
        );
      }
      const changed: CheckResult[] = [];
      for (const pair of pairs.changed) changed.push(await check(pair.old, pair.new, context));
      close();
      const results = [
        ...changed,
        ...pairs.added.map(({ name }) => unchallenged(name, [])),
        ...pairs.removed.map(({ name }) =>
          unchallenged(name, [
            `${name} is only in ${oldSource}: if it is deleted from the cluster, its stored objects go with it`,
          ]),
        ),
      ];
      const denied = results.filter(({ verdict }) => !verdict.allowed).length;
      const counts = {
        allowed: results.length - denied,
        denied,
        added: pairs.added.length,
        removed: pairs.removed.length,
        otherDocuments: old.passedOver + fresh.passedOver,
      };
      process.stdout.write(
        render({ subject: 'CustomResourceDefinitions', results, counts }, options.output, {
          colours: wantsColours(),
        }),
      );
      if (options.explain === true && options.output === 'text') {
        for (const pair of pairs.changed) {
          process.stdout.write(renderDerivation(pair.new.name, prove(pair.old, pair.new)));
        }
      }
      if (options.fix !== undefined) writeFixes(options.fix, repaired);
      process.exitCode = denied === 0 ? 0 : 1;
    });
}

function prove(old: FoundCrd, fresh: FoundCrd): readonly ProofResult[] {
  return proveUpgrade(old.crd, fresh.crd).results;
}

interface CheckContext {
  readonly profile: Profile;
  readonly policy: Policy;
  readonly view: ClusterView | undefined;
  readonly isFixWanted: boolean;
  /** Where the ways out are kept for `--fix`. */
  readonly repaired: Repaired[];
  readonly objects: string | undefined;
}

/** Without `--fix` the ways out are a hint, and few are tried. */
const candidatesTried = { hint: 24, wanted: 400 };

async function check(old: FoundCrd, fresh: FoundCrd, context: CheckContext): Promise<CheckResult> {
  const judgement = withFixes(old, fresh, judgePair(old, fresh, context.profile), context);
  const sides = judgement.stands.map(({ side }) => (side === 'old' ? old : fresh));
  const places = judgement.stands.map(({ keys }, index) => placeOf(sides[index] ?? fresh, keys));
  const notes = judgement.proofs.map((proof, index) => ({
    ...(proof === undefined ? {} : { proof: proof.reason }),
    ...(judgement.ways[index] === undefined ? {} : { fix: judgement.ways[index] }),
    frame: codeFrame(sides[index]?.document, places[index]?.line),
  }));
  const stored =
    context.objects === undefined
      ? undefined
      : await checkObjects(context.objects, old.crd, fresh.crd, {
          view: context.view,
          terminal: process.stderr,
        });
  const findings = [...judgement.findings, ...(stored?.findings ?? [])];
  const verdict = await decideAsWebhook(old, fresh, { ...judgement, findings }, context);
  const output =
    stored === undefined ? judgement.output : { ...judgement.output, storedObjects: stored.tally };
  return { name: fresh.name, verdict, output, places, notes };
}

/** Gives each finding that does harm the patch that ends it, where one is found. */
function withFixes(
  old: FoundCrd,
  fresh: FoundCrd,
  judgement: PairJudgement,
  { isFixWanted, repaired }: CheckContext,
): PairJudgement & { readonly ways: readonly (string | undefined)[] } {
  const isHarmful = judgement.findings.some(
    ({ effect }) => effect === 'breaking' || effect === 'data-loss',
  );
  if (!isHarmful) return { ...judgement, ways: [] };
  const most = isFixWanted ? candidatesTried.wanted : candidatesTried.hint;
  const repair = repairUpgrade(old.crd, fresh.crd, { most });
  repaired.push({ fresh, repair });
  const fixes = judgement.proofs.map((proof) =>
    repair.fixes.find(
      ({ trouble }) => trouble.version === proof?.version && trouble.path === proof?.path,
    ),
  );
  return {
    ...judgement,
    findings: judgement.findings.map((finding, index) => {
      const fix = fixes[index];
      return fix === undefined ? finding : { ...finding, fix: fix.patch };
    }),
    ways: fixes.map((fix) => fix?.title),
  };
}

/** The old definition stands for the one the cluster has: what switches checks off there counts. */
async function decideAsWebhook(
  { crd: stored }: FoundCrd,
  { crd: requested, name }: FoundCrd,
  { findings, previous }: PairJudgement,
  { policy, view }: CheckContext,
): Promise<Verdict> {
  const now = new Date();
  const neverDenied = guarantee({ object: requested, oldObject: stored });
  const request = {
    subject: { groups: groupsOf(stored), name },
    familyOf: (rule: string) =>
      isStoredRule(rule) ? ('stored-objects' as const) : ('crd-upgrade-safety' as const),
    previous: policy.ratchet && findings.length > 0 ? previous() : [],
    ...(neverDenied === undefined ? {} : { neverDenied }),
  };
  let bypass = evaluateBypasses({ stored, requested }, policy, now);
  let decision = decide(findings, policy, { ...request, bypasses: bypass.bypasses }, now);
  let problems: readonly string[] = [];
  if (!decision.allowed && view !== undefined) {
    const owners = await ownersOf(stored, { policy, view });
    problems = owners.problems;
    bypass = evaluateBypasses({ stored, requested, owners: owners.objects }, policy, now);
    decision = decide(findings, policy, { ...request, bypasses: bypass.bypasses }, now);
  }
  const { allowed, bypassedBy } = decision;
  return {
    allowed,
    findings: decision.findings,
    warnings: [
      ...explainDecision(decision, bypass, refusedByKubernetes),
      ...(allowed ? [] : problems),
    ],
    ...(bypassedBy === undefined ? {} : { bypassedBy }),
  };
}

const isStoredRule = (rule: string): boolean => storedRuleNames.includes(rule);

function groupsOf(definition: JsonObject): string[] {
  const spec = own(definition, 'spec');
  const group = isObject(spec) ? own(spec, 'group') : undefined;
  return typeof group === 'string' ? [group] : [];
}

function unchallenged(name: string, warnings: string[]): CheckResult {
  const verdict: Verdict = { allowed: true, findings: [], warnings };
  return { name, verdict, output: {}, places: [] };
}
