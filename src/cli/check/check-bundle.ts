/** `olm-guard check bundle`: what the author of an operator runs in CI before a bundle is published. */
import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import {
  type Bundle,
  type BundleCheck,
  type BundleCheckOptions,
  type BundleProfile,
  checkBundle,
  proofSentence,
  readBundle,
} from '../../olm/index.js';
import { referenceProfiles } from '../../upgrade/index.js';
import { invalidInput, parseDocuments, type Document } from '../../text/documents/index.js';
import { check, misspeltExemptions, type Policy } from '../../policy/index.js';
import { countSeverities, formats, render } from '../../report/index.js';
import type { ClusterOptions } from '../options/cluster-option.js';
import { minorsFor, withMinors } from '../options/kubernetes-option.js';
import { suggestCommand } from '../options/suggest-command.js';
import {
  decidingPolicy,
  type DecisionOptions,
  openPolicy,
  policyWarning,
} from '../options/policy-option.js';
import { formOf, print } from '../output.js';
import { readSourceWithWarnings } from '../options/skipped-files.js';
import { textAt } from '../../text/documents/fields.js';
import { flags, withFlags } from '../options/flags.js';

interface Options extends ClusterOptions, DecisionOptions {
  readonly kubernetes?: string;
  readonly against?: string;
  readonly profile?: BundleProfile;
  readonly policy?: string;
  readonly output: string;
}

const profiles: readonly BundleProfile[] = [...referenceProfiles, 'proof'];

export function checkBundleCommand(): Command {
  const command = new Command('bundle').description(
    'check an operator bundle, and its upgrade from the one it replaces',
  );
  return withFlags(command, {
    '<bundle>': 'a folder with manifests and metadata, one file, or git:REF:path',
    '--against <old>': 'the bundle that it replaces',
    ...flags.profile(profiles, 'which rules decide about CRDs'),
    ...flags.policy,
    ...{ ...flags.strict, ...flags.acknowledge, ...flags.all, ...flags.kubernetes() },
    ...flags.kubeconfig('the cluster of --kubernetes cluster (default: as kubectl)'),
    ...flags.output(formats),
  }).action(async (source: string, options: Options) => {
    const loaded = await openPolicy(options.policy);
    const minors = await minorsFor(options.kubernetes ?? loaded.policy.kubernetes, options);
    const policy = withMinors(decidingPolicy(loaded, options), minors);
    const bundle = await openBundle(source);
    const against = options.against === undefined ? undefined : await openBundle(options.against);
    const judged = judgeBundle(bundle, policy, {
      minors,
      profile: options.profile,
      isWhole: await isWhole(source),
      against,
    });
    const result = await decideBundle(source, bundle, judged, policy);
    const { error, warning, info } = countSeverities(result.verdict.findings);
    const counts = { errors: error, warnings: warning, notes: info };
    const warnings = [
      ...(minors?.warnings ?? []),
      ...(await policyWarning(options.policy, loaded, options.against, options.output)),
    ];
    const report = { subject: 'Bundle', results: [result], warnings, counts };
    const text = await render(report, options.output, { isAllListed: options.all === true });
    await print(text, formOf(options.output));
    process.exitCode = result.verdict.allowed ? 0 : 1;
  });
}

/** @throws InvalidInputError for what is no bundle */
export async function openBundle(source: string): Promise<Bundle> {
  const files = await readSourceWithWarnings(source);
  const bundles = files.flatMap(
    ({ path }) => /^(.+)\/metadata\/annotations\.ya?ml$/.exec(path)?.[1] ?? [],
  );
  if (bundles.length > 1) {
    const message = `holds ${bundles.length} bundles; name one: ${bundles.slice(0, 5).join(', ')}`;
    throw invalidInput(message, { file: source });
  }
  const documents = files.flatMap(({ file, bytes }) => parseDocuments(bytes, { file }));
  const bundle = readBundle(documents, source);
  // The properties of its bundles would be read as those of one, and nothing would be found.
  if (bundle.csv === undefined && bundle.annotations === undefined && isCatalog(documents)) {
    const message = `is no bundle${suggestCommand(documents, 'check bundle')}`;
    throw invalidInput(message, { file: source });
  }
  return bundle;
}

/** One `olm.bundle` by itself is a bundle that opm has rendered. */
function isCatalog(documents: readonly Document[]): boolean {
  const schemas = documents.map(({ value }) => textAt(value, 'schema'));
  const bundles = schemas.filter((schema) => schema === 'olm.bundle').length;
  return (
    bundles > 1 || schemas.some((schema) => schema === 'olm.package' || schema === 'olm.channel')
  );
}

async function isWhole(source: string): Promise<boolean> {
  if (source === '-' || source.startsWith('git:')) return false;
  return (await stat(source)).isDirectory();
}

function profileOf({ profile }: Policy): BundleProfile {
  const known = profiles.find((each) => each === profile);
  if (known !== undefined) return known;
  throw invalidInput(`check bundle does not know the profile "${profile}"`);
}

/** @throws InvalidInputError for a profile that bundles do not have */
export function judgeBundle(
  bundle: Bundle,
  policy: Policy,
  {
    profile = profileOf(policy),
    against,
    ...options
  }: Pick<BundleCheckOptions, 'isWhole' | 'minors'> & {
    readonly profile?: BundleProfile | undefined;
    readonly against: Bundle | undefined;
  },
): BundleCheck {
  const { enforce, crdify, kubernetes } = policy;
  return checkBundle(bundle, { ...options, profile, enforce, crdify, kubernetes, against });
}

export async function decideBundle(
  source: string,
  bundle: Bundle,
  judged: BundleCheck,
  policy: Policy,
) {
  const groups = [...bundle.crds.keys()].map((name) => name.slice(name.indexOf('.') + 1));
  const name = bundle.csv?.value.name ?? source;
  const { findings, previous, definitions, unchecked } = judged;
  const question = { subject: { groups, name }, findings, previous, definitions, unchecked };
  const { verdict } = await check(question, policy);
  return {
    name,
    verdict: {
      ...verdict,
      warnings: [
        ...verdict.warnings,
        ...judged.crds.flatMap((crd) => proofSentence(crd) ?? []),
        ...misspeltExemptions(
          policy.exemptions,
          [name, ...bundle.crds.keys()].map((each) => ({ subject: { groups, name: each } })),
        ),
      ],
    },
    output: {
      version: bundle.csv?.value.version ?? null,
      olmV1: judged.olmV1,
      crds: judged.crds.map(({ name, message, effect, results }) => ({
        name,
        message,
        effect: effect ?? null,
        results,
      })),
    },
    places: verdict.findings.map((_, index) => judged.places[index] ?? {}),
  };
}
