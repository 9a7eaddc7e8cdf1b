/** `olm-guard catalog diff OLD NEW`: the check for a catalog's pull request. */
import { Command } from 'commander';
import {
  bundleCrds,
  type Catalog,
  crdVerdict,
  diffCatalogs,
  type PackageDiff,
} from '../../olm/index.js';
import { invalidInput, type JsonObject } from '../../text/documents/index.js';
import { didYouMean } from '../../text/nearest.js';
import { check, profiles, type Policy, type Profile } from '../../policy/index.js';
import { severities, type Finding } from '../../rule/index.js';
import { type CheckResult, formats, render } from '../../report/index.js';
import { readKnownCatalog, readBundles } from '../options/known-catalogs.js';
import { decidingPolicy, openPolicy, policyWarning } from '../options/policy-option.js';
import { NotInCommitError } from '../../text/documents/git.js';
import { formOf, print, printError } from '../output.js';
import { smallest, sum } from '../../text/long-lists.js';
import { flags, withFlags, several } from '../options/flags.js';

interface DiffOptions {
  readonly package: readonly string[];
  readonly bundles?: string;
  readonly policy?: string;
  readonly profile?: Profile;
  readonly strict?: boolean;
  readonly output: string;
}

export function catalogDiffCommand(): Command {
  const command = new Command('diff').description(
    'report what a new catalog takes away from users of the old one',
  );
  return withFlags(command, {
    '<old>': 'the published catalog: a folder, file or git:REF:path',
    '<new>': 'the proposed catalog, likewise',
    '--package <name>': several('only this package (several: repeat)', 'all'),
    '--bundles <folder>':
      'bundle folders with the CustomResourceDefinitions that the catalogs leave out',
    ...flags.policy,
    ...flags.profile(profiles, 'which rules decide about definitions'),
    ...flags.strict,
    ...flags.output(formats),
  }).action(async (oldSource: string, newSource: string, options: DiffOptions) => {
    const loaded = await openPolicy(options.policy);
    const policy = decidingPolicy(loaded, options);
    const profile = options.profile ?? policy.profile;
    const old = await readPublished(oldSource, options.package);
    const now = await read(newSource, options.package);
    demandPackages(options.package, [old, now]);
    const folders = await readBundles(options.bundles);
    const diffs = diffCatalogs(old, now, {
      crdsOf: definitionsOf(old, now, folders),
      judge: (before, next) => crdVerdict(before, next, { ...policy, profile }),
      isOldCounted: !policy.ratchet,
    });
    const isForPeople = forPeople.has(options.output);
    const judged = await Promise.all(
      diffs.map((diff) => checkPackage(diff, { policy, isForPeople })),
    );
    const results = judged.toSorted((one, other) => gravestOf(one) - gravestOf(other));
    const denied = results.filter(({ verdict }) => !verdict.allowed).length;
    const findings = diffs.flatMap((diff) => diff.findings);
    const counts = {
      changed: diffs.filter(({ state }) => state === 'changed').length,
      added: diffs.filter(({ state }) => state === 'added').length,
      removed: diffs.filter(({ state }) => state === 'removed').length,
      denied,
      findings: findings.length,
      edgesCompared: sum(diffs.map(({ edges }) => edges.judged)),
      edgesWithoutDefinitions: sum(diffs.map(({ edges }) => edges.unknown)),
    };
    const warnings = await policyWarning(options.policy, loaded, oldSource, options.output);
    const report = { subject: 'Packages', results, warnings, counts };
    await print(await render(report, options.output), formOf(options.output));
    process.exitCode = denied === 0 ? 0 : 1;
  });
}

/** Reads the old catalog; one that the commit does not have is empty, as for the first in a repository. */
async function readPublished(source: string, packages: readonly string[]): Promise<Catalog> {
  try {
    return await read(source, packages);
  } catch (error) {
    if (!(error instanceof NotInCommitError)) throw error;
    printError(
      `olm-guard: nothing was compared: ${error.describe()}, so every package counts as added`,
    );
    return { packages: [], channels: [], bundles: [], deprecations: [], others: [] };
  }
}

async function read(source: string, packages: readonly string[]): Promise<Catalog> {
  const catalog = await readKnownCatalog(source, { keep: 'all' });
  if (packages.length === 0) return catalog;
  const wanted = new Set(packages);
  const isWanted = (object: { readonly package: string }): boolean => wanted.has(object.package);
  return {
    packages: catalog.packages.filter(({ name }) => wanted.has(name)),
    channels: catalog.channels.filter(isWanted),
    bundles: catalog.bundles.filter(isWanted),
    deprecations: catalog.deprecations.filter(isWanted),
    others: [],
  };
}

function demandPackages(wanted: readonly string[], catalogs: readonly Catalog[]): void {
  const names = new Set(catalogs.flatMap(({ packages }) => packages.map(({ name }) => name)));
  for (const name of wanted) {
    if (names.has(name)) continue;
    throw invalidInput(`neither catalog has a package "${name}"${didYouMean(name, names)}`);
  }
}

/** Definitions of a bundle from the catalog, or else from the bundle folder with its name. */
function definitionsOf(
  old: Catalog,
  now: Catalog,
  folders: ReadonlyMap<string, readonly JsonObject[]> | undefined,
) {
  const byName = (catalog: Catalog) =>
    new Map(catalog.bundles.map((bundle) => [`${bundle.package}/${bundle.name}`, bundle]));
  const sides = { old: byName(old), new: byName(now) };
  return (bundle: string, packageName: string, side: 'old' | 'new') => {
    const found = sides[side].get(`${packageName}/${bundle}`);
    return (found && bundleCrds(found)) ?? folders?.get(bundle);
  };
}

/** Formats for people leave out what did not change; those for scripts have everything. */
const forPeople = new Set(['text', 'markdown', 'html']);

async function checkPackage(
  { findings, package: name, ...output }: PackageDiff,
  { policy, isForPeople }: { readonly policy: Policy; readonly isForPeople: boolean },
): Promise<CheckResult> {
  const { verdict } = await check({ subject: { groups: [], name }, findings }, policy);
  const said = verdict.findings.map((finding, index) => ({
    finding,
    place: findings[index]?.place ?? {},
    isFolded: isForPeople && findings[index]?.isAsBefore === true && finding.severity !== 'error',
  }));
  const shown = said
    .filter(({ isFolded }) => !isFolded)
    .sort((one, other) => gravity(one.finding) - gravity(other.finding));
  const folded = said.length - shown.length;
  const warnings = folded === 0 ? [] : [`${folded} more findings are as before: -o json has them`];
  return {
    name,
    verdict: {
      ...verdict,
      findings: shown.map(({ finding }) => finding),
      warnings: [...verdict.warnings, ...warnings],
    },
    output,
    places: shown.map(({ place }) => place),
  };
}

function gravity({ severity }: Finding): number {
  return severities.indexOf(severity);
}

function gravestOf({ verdict: { allowed, findings } }: CheckResult): number {
  return allowed ? smallest(findings.map(gravity), severities.length) : -1;
}
