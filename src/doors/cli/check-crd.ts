/** `olm-guard check crd OLD NEW`: the webhook's judgement before anything is applied. */
import { Argument, Command, Option } from 'commander';
import type { Collection, FoundCrd } from '../../crd/collect.js';
import { proveUpgrade, type ProofResult } from '../../proof/index.js';
import { minorsByDefault } from '../../definition/index.js';
import { pairCrds } from '../../crd/pairs.js';
import { InvalidInputError } from '../../text/documents/index.js';
import type { Verdict } from '../../finding.js';
import { profiles, type Profile } from '../../check/policy.js';
import type { CheckResult } from '../report/check-report.js';
import { renderDerivation } from '../report/derivation.js';
import { formats } from '../report/render.js';
import { checkAdded, checkPair, hintsForAll } from './check-pair.js';
import type { ClusterOptions } from './cluster-option.js';
import { writeFixes, type Repaired } from './fix-file.js';
import { readDefinitions, readOldDefinitions } from './crd-source.js';
import { kubernetesOption, minorsFor } from './kubernetes-option.js';
import { loadPolicy } from './policy-option.js';
import { startReport } from './report-output.js';
import { print, say } from './output.js';

interface Options extends ClusterOptions {
  readonly profile?: Profile;
  readonly policy?: string;
  readonly fix?: string;
  readonly objects?: string;
  readonly kubernetes?: string;
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
    .option(...kubernetesOption)
    .option('--explain', 'tell of every difference why it is safe, or what it breaks (text only)')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices([...formats]).default('text'),
    )
    .action(async (oldSource: string, newSource: string, options: Options) => {
      const policy = await loadPolicy(options.policy);
      const profile = options.profile ?? policy.profile;
      const asked = await minorsFor(options.kubernetes ?? policy.kubernetes, options);
      const minors = asked ?? minorsByDefault();
      const fresh = await readDefinitions(newSource);
      const {
        collection: old,
        view,
        owners,
        close,
      } = await readOldDefinitions(oldSource, fresh, options);
      const sources = { old: oldSource, new: newSource };
      const pairs = pairCrds(old, fresh, sources);
      if (pairs.changed.length === 0)
        say(`olm-guard: nothing was compared: ${whyNot(old, oldSource)}`);
      const repaired: Repaired[] = [];
      const { objects } = options;
      if (objects === '-' && pairs.changed.length > 1) {
        throw new InvalidInputError(
          'E_INPUT',
          '--objects - can be read for one definition only; name a file or a folder',
        );
      }
      const report = startReport('CustomResourceDefinitions', options.output);
      let denied = 0;
      let all = 0;
      const tell = async (result: CheckResult): Promise<void> => {
        all++;
        if (!result.verdict.allowed) denied++;
        await report.result(result);
      };
      try {
        const isFixWanted = options.fix !== undefined;
        const onHarmed = report.object?.bind(report);
        const hints = { values: hintsForAll };
        const judged = { profile, policy, view, owners, minors };
        const common = { ...judged, isFixWanted, repaired, objects, hints };
        const context = { ...common, onHarmed };
        for (const pair of pairs.changed) await tell(await checkPair(pair.old, pair.new, context));
        for (const added of pairs.added) await tell(await checkAdded(added, context));
        for (const { name } of pairs.removed) {
          const warning = `${name} is only in ${oldSource}: if it is deleted from the cluster, its stored objects go with it`;
          await tell(unchallenged(name, [warning]));
        }
        if (options.fix !== undefined) await writeFixes(options.fix, repaired);
        await report.end({
          allowed: all - denied,
          denied,
          added: pairs.added.length,
          removed: pairs.removed.length,
          otherDocuments: old.passedOver + fresh.passedOver,
        });
      } catch (error) {
        await report.fail(told(error));
        throw error;
      } finally {
        close();
      }
      if (options.explain === true && options.output === 'text') {
        for (const pair of pairs.changed) {
          await print(renderDerivation(pair.new.name, prove(pair.old, pair.new)));
        }
      }
      process.exitCode = denied === 0 ? 0 : 1;
    });
}

function whyNot({ crds }: Collection, source: string): string {
  return crds.size === 0
    ? `${source} has no CustomResourceDefinition, so every one of NEW counts as added`
    : `OLD and NEW have no CustomResourceDefinition in common`;
}

function prove(old: FoundCrd, fresh: FoundCrd): readonly ProofResult[] {
  return proveUpgrade(old.crd, fresh.crd).results;
}

/** An error as scripts read it everywhere. */
function told(error: unknown): object {
  if (!(error instanceof InvalidInputError)) return { message: String(error) };
  const { code, message, where } = error;
  return { code, message, ...(Object.keys(where).length === 0 ? {} : { where }) };
}

function unchallenged(name: string, warnings: string[]): CheckResult {
  const verdict: Verdict = { allowed: true, findings: [], warnings };
  return { name, verdict, output: {}, places: [] };
}
