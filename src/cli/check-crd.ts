/** `olm-guard check crd OLD NEW`: the webhook's judgement before anything is applied. */
import { Argument, Command, Option } from 'commander';
import { collectCrds, type Collection, type FoundCrd } from '../crd/collect.js';
import {
  findingsOfOld,
  judgeUpgrade,
  referenceProfiles,
  refusedByKubernetes,
  type ReferenceProfile,
} from '../crd/index.js';
import { pairCrds } from '../crd/pairs.js';
import { parseDocuments } from '../documents/documents.js';
import { locate } from '../documents/positions.js';
import {
  InvalidInputError,
  isObject,
  own,
  type JsonObject,
  type Place,
} from '../documents/index.js';
import { readSource } from '../documents/sources.js';
import type { Finding, Verdict } from '../finding.js';
import { evaluateBypasses } from '../policy/bypass.js';
import { decide } from '../policy/decide.js';
import { explainDecision } from '../policy/explain.js';
import type { Policy } from '../policy/policy.js';
import type { CheckResult } from '../report/check-report.js';
import { formats, render } from '../report/render.js';
import { loadPolicy } from './policy-option.js';

interface Options {
  readonly profile?: ReferenceProfile;
  readonly policy?: string;
  readonly output: string;
}

export function checkCrdCommand(): Command {
  return new Command('crd')
    .description('compare two releases of CustomResourceDefinitions by the rules of OLM v1')
    .addArgument(new Argument('<old>', 'file, folder, bundle, git:REF:path or - (standard input)'))
    .addArgument(new Argument('<new>', 'the same for what is proposed'))
    .addOption(
      new Option('--profile <name>', "whose rules (default: the policy's, else olm-v1)").choices([
        ...referenceProfiles,
      ]),
    )
    .option('--policy <file>', 'what to deny, warn about and exempt, as the webhook would')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices([...formats]).default('text'),
    )
    .action(async (oldSource: string, newSource: string, options: Options) => {
      const policy = await loadPolicy(options.policy);
      const profile = options.profile ?? referenceProfile(policy);
      const old = await read(oldSource);
      const fresh = await read(newSource);
      const pairs = pairCrds(old, fresh, { old: oldSource, new: newSource });
      const results = [
        ...pairs.changed.map((pair) => check(pair.old, pair.new, profile, policy)),
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
        render({ subject: 'CustomResourceDefinitions', results, counts }, options.output),
      );
      process.exitCode = denied === 0 ? 0 : 1;
    });
}

async function read(source: string): Promise<Collection> {
  const files = await readSource(source);
  return collectCrds(files.flatMap(({ file, bytes }) => parseDocuments(bytes, { file })));
}

function referenceProfile({ profile }: Policy): ReferenceProfile {
  const known = referenceProfiles.find((each) => each === profile);
  if (known !== undefined) return known;
  throw new InvalidInputError('E_INPUT', `check crd does not know the profile "${profile}"`);
}

function check(
  old: FoundCrd,
  fresh: FoundCrd,
  profile: ReferenceProfile,
  policy: Policy,
): CheckResult {
  const { findings, message, errors, locate: place } = judgeUpgrade(old.crd, fresh.crd, profile);
  const places = findings.map((finding): Place => {
    const location = place(finding);
    const side = location?.side === 'old' ? old : fresh;
    return locate(side.document, [...side.path, ...(location?.keys ?? [])]);
  });
  const verdict = decideAsWebhook(old, fresh, findings, profile, policy);
  return { name: fresh.name, verdict, output: { message, errors }, places };
}

/** The old definition stands for the one the cluster has: what switches checks off there counts. */
function decideAsWebhook(
  old: FoundCrd,
  fresh: FoundCrd,
  findings: readonly Finding[],
  profile: ReferenceProfile,
  policy: Policy,
): Verdict {
  const now = new Date();
  const bypass = evaluateBypasses({ stored: old.crd, requested: fresh.crd }, policy, now);
  const decision = decide(
    findings,
    policy,
    {
      subject: { groups: groupsOf(old.crd), name: fresh.name },
      familyOf: () => 'crd-upgrade-safety',
      previous: policy.ratchet ? findingsOfOld(old.crd, profile, findings) : [],
      bypasses: bypass.bypasses,
    },
    now,
  );
  const { allowed, bypassedBy } = decision;
  return {
    allowed,
    findings: decision.findings,
    warnings: explainDecision(decision, bypass, refusedByKubernetes),
    ...(bypassedBy === undefined ? {} : { bypassedBy }),
  };
}

function groupsOf(definition: JsonObject): string[] {
  const spec = own(definition, 'spec');
  const group = isObject(spec) ? own(spec, 'group') : undefined;
  return typeof group === 'string' ? [group] : [];
}

function unchallenged(name: string, warnings: string[]): CheckResult {
  const verdict: Verdict = { allowed: true, findings: [], warnings };
  return { name, verdict, output: {}, places: [] };
}
