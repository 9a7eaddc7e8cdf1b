/** `olm-guard check objects PATH… --crds NEW`: manifests of custom resources, before they are applied. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { minorsByDefault } from '../../kubernetes/index.js';
import { collectCrds, isCustomResourceDefinition, type FoundCrd } from '../../upgrade/index.js';
import { textAt } from '../../text/documents/fields.js';
import {
  InvalidInputError,
  invalidInput,
  inNamespace,
  metaOf,
  type Document,
  type JsonObject,
} from '../../text/documents/index.js';
import { endedBy, foundAt } from '../../rule/index.js';
import { append } from '../../text/long-lists.js';
import type { Policy } from '../../policy/index.js';
import {
  goPrefix,
  mayDefine,
  SchemaCatalog,
  manifestObjects,
  type ManifestObject,
} from '../../repository/index.js';
import { type CheckResult, framesInTurn, type FrameAt, formats } from '../../report/index.js';
import { clusterPrefix, readDefinitions, readOldDefinitions } from '../options/crd-source.js';
import { withWarnings } from '../options/skipped-files.js';
import {
  checkManifest,
  type CheckedManifest,
  placeOf,
  placeOfObject,
  placesAndNotes,
  writtenAt,
  type WrittenFinding,
} from '../../checks/index.js';
import { decidingPolicy, type DecisionOptions, openPolicy } from '../options/policy-option.js';
import { minorsFor } from '../options/kubernetes-option.js';
import { ManifestFixes } from './fix-file.js';
import { SkippedKinds, ObjectDefinitions } from './object-definitions.js';
import { startReport } from '../report-output.js';
import { printError, startProgress } from '../output.js';
import { flags, withFlags, several, type NetworkOptions } from '../options/flags.js';

interface Options extends DecisionOptions, NetworkOptions {
  readonly crds: readonly string[];
  readonly against: readonly string[];
  readonly schemaLocation: readonly string[];
  readonly values: readonly string[];
  readonly summary?: true;
  readonly fix?: string;
  readonly unchecked: 'fail' | 'warn';
  readonly policy?: string;
  readonly kubernetes?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: string;
}

interface Sources {
  readonly manifests: readonly ManifestObject[];
  /** Everything that was read, definitions too. */
  readonly documents: readonly Document[];
}

export function checkObjectsCommand(): Command {
  const command = new Command('objects').description(
    'judge manifests of custom resources by their definitions',
  );
  return withFlags(command, {
    '<path...>': 'files, folders, kustomizations, Helm charts, git:REF:path or - (standard input)',
    '--crds <new>': several(
      'the definitions, given like a path; those among the paths are used too',
    ),
    '--against <old>': several('the old definitions: what they refuse too is only a warning'),
    '--schema-location <folder>': several(
      'JSON schemas for kinds without a definition: a folder, or a template as for kubeconform',
    ),
    '--values <file>': several('values for a chart that is named as a path'),
    ...flags.policy,
    '--fix <file>':
      'write the files with the changes that resolve findings; to the folder that holds them, each in place',
    ...flags.network,
    '--strict': 'deny fields that the definition does not have, as kubectl does',
    ...{ ...flags.all, ...flags.kubernetes('objects') },
    ...flags.kubeconfig('the cluster of --kubernetes cluster (default: as kubectl)'),
    ...flags.unchecked(
      'when a part cannot be judged: exit with 2, or only report it; when nothing can be, always exit with 2',
      'fail',
    ),
    '--summary': 'end text with the summary line of kubeconform',
    ...flags.output(formats),
  }).action(async (paths: readonly string[], options: Options) => {
    const loaded = await openPolicy(options.policy);
    const decided = decidingPolicy(loaded, options);
    const policy = options.strict === true ? denyingUnknownFields(decided) : decided;
    const asked = await minorsFor(options.kubernetes ?? loaded.policy.kubernetes, options);
    const minors = asked ?? minorsByDefault();
    const unchecked = new Set<string>();
    const catalog = await SchemaCatalog.open(options.schemaLocation);
    const named = await readCrds(options, unchecked);
    // Files that are fetched may define them too.
    const needsBeside = named.size === 0 && catalog.isEmpty && options.network !== true;
    if (needsBeside && !(await mayDefine(paths))) {
      throw noDefinition(options.crds, paths, unchecked);
    }
    const { manifests, documents } = await readAll(paths, unchecked, options);
    const beside = definitionsIn(documents, unchecked, named);
    const crds = new Map([...beside, ...named]);
    if (crds.size === 0 && catalog.isEmpty) throw noDefinition(options.crds, paths, unchecked);
    const old = await oldDefinitions(options, crds, unchecked);
    const definitions = new ObjectDefinitions(crds, catalog, unchecked);
    const before = new ObjectDefinitions(old, await SchemaCatalog.open([]), unchecked);
    const report = startReport('Objects', options.output, { isAllListed: options.all === true });
    const counts = { allowed: 0, denied: 0, skipped: 0 };
    const skipped = new SkippedKinds();
    const frameAt = framesInTurn();
    const fixes = options.fix === undefined ? undefined : new ManifestFixes();
    for (const manifest of manifests) {
      const found = await definitions.definitionOf(manifest.object);
      if (found === undefined) {
        counts.skipped++;
        skipped.add(manifest.object);
        const sentence = await withVariableAsKind(manifest);
        if (sentence !== undefined) unchecked.add(sentence);
        continue;
      }
      const installed = (await before.definitionOf(manifest.object))?.crd.document;
      const object = placedIn(manifest, found);
      const written = writtenAt(manifest);
      const { isUnfinished, isUnknown } = manifest.applied;
      const source = { written, isUnfinished, isUnknown };
      const judged = await checkManifest(object, found, installed, { policy, minors, ...source });
      for (const sentence of judged.unchecked) {
        unchecked.add(`${await whereIs(manifest)}${sentence}`);
      }
      const { verdict } = judged;
      counts[verdict.allowed ? 'allowed' : 'denied']++;
      fixes?.add(manifest, judged);
      await report.result(await resultOf(manifest, judged, frameAt));
    }
    if (counts.allowed + counts.denied === 0 && unchecked.size === 0) {
      unchecked.add(`no object in ${paths.join(', ')} has a kind with a definition or schema`);
    }
    if (options.fix !== undefined) {
      const judgedFiles = new Set(documents.map(({ file = '' }) => file));
      await fixes?.write(options.fix, [...judgedFiles]);
    }
    const isNothingJudged = counts.allowed + counts.denied === 0;
    const isUnchecked = unchecked.size > 0 && (options.unchecked === 'fail' || isNothingJudged);
    const isFailure = counts.denied === 0 && isUnchecked;
    const { bySchemaAlone } = definitions;
    const all = { ...counts, ...(bySchemaAlone > 0 && { bySchemaAlone }) };
    await report.end(all, {
      warnings: asked?.warnings ?? [],
      ...(unchecked.size > 0 && { unchecked: [...unchecked] }),
      skipped: skipped.list(),
      ...(options.summary && {
        closing: kubeconformSummary(documents, { ...counts, errors: unchecked.size }, skipped),
      }),
      isFailure,
    });
    process.exitCode = counts.denied > 0 ? 1 : isFailure ? 2 : 0;
  });
}

function noDefinition(
  crds: readonly string[],
  paths: readonly string[],
  [first, ...others]: Iterable<string>,
): InvalidInputError {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const unread = first === undefined ? '' : `; unchecked${more}: ${first}`;
  const message = `no CustomResourceDefinition is in ${[...crds, ...paths].join(', ')}; name them: --crds NEW${unread}`;
  return invalidInput(message);
}

/** Definitions of Go types are made by controller-gen, and a cluster has the old side only. */
async function readCrds(
  { crds: sources, network }: Options,
  unchecked: Set<string>,
): Promise<ReadonlyMap<string, FoundCrd>> {
  const isNoPath = (source: string): boolean =>
    source.startsWith(goPrefix) || source.startsWith(clusterPrefix);
  const made = new Map<string, FoundCrd>();
  for (const source of sources.filter(isNoPath)) {
    for (const [name, found] of (await readDefinitions(source)).crds) made.set(name, found);
  }
  const { documents } = await readAll(
    sources.filter((source) => !isNoPath(source)),
    unchecked,
    { network },
  );
  return new Map([...definitionsIn(documents, unchecked), ...made]);
}

function denyingUnknownFields(policy: Policy): Policy {
  return { ...policy, modes: new Map([...policy.modes, ['UnknownField', 'deny']]) };
}

/** Reads all sources; those that cannot be read are listed in `unchecked`, unless there is only one. */
async function readAll(
  sources: readonly string[],
  unchecked: Set<string>,
  { values: valueFiles = [], network: usesNetwork }: Partial<Options>,
): Promise<Sources> {
  const manifests: ManifestObject[] = [];
  const documents: Document[] = [];
  const progress = startProgress('folders');
  for (const source of sources) {
    const onUnchecked = (sentence: string): unknown => unchecked.add(sentence);
    const read = withWarnings((options) =>
      manifestObjects(source, {
        ...options,
        ...{ valueFiles, usesNetwork, onUnchecked, includesUnfinished: true },
        onProgress: progress.update,
      }),
    );
    try {
      for await (const file of read) {
        append(documents, file.documents);
        const judged = file.objects.filter(({ object }) => !isCustomResourceDefinition(object));
        append(manifests, judged);
      }
    } catch (error) {
      if (!(error instanceof InvalidInputError) || sources.length === 1) throw error;
      unchecked.add(`${error.describe()}; nothing of it was judged`);
    } finally {
      progress.stop();
    }
  }
  return { manifests, documents };
}

/** The object with the namespace that kubectl, Argo CD or Flux gives it when it has none. */
function placedIn({ object, applied }: ManifestObject, { crd }: FoundCrd): JsonObject {
  const { namespace } = applied;
  const isNamespaced = textAt(crd.document, 'spec', 'scope') === 'Namespaced';
  const hasNone = namespace !== undefined && metaOf(object).namespace === '';
  return isNamespaced && hasNone ? inNamespace(object, namespace) : object;
}

/** The definitions that `check crd` would compare `proposed` with; of two of one name, the first that is named. */
async function oldDefinitions(
  options: Options,
  proposed: ReadonlyMap<string, FoundCrd>,
  unchecked: Set<string>,
): Promise<ReadonlyMap<string, FoundCrd>> {
  const old = new Map<string, FoundCrd>();
  for (const source of options.against) {
    const crds = new Map([...proposed].filter(([name]) => !old.has(name)));
    const { collection, close } = await readOldDefinitions(
      source,
      { crds, otherDocuments: 0 },
      options,
    );
    close();
    // A commit may be older than the definitions: they are new, and nothing is wrong.
    if (collection.crds.size === 0 && crds.size > 0 && existsSync(source)) {
      printError(
        `olm-guard: --against ${source} has no CustomResourceDefinition: nothing is compared with it`,
      );
    }
    for (const sentence of collection.unchecked ?? []) unchecked.add(sentence);
    for (const [name, found] of collection.crds) if (!old.has(name)) old.set(name, found);
  }
  return old;
}

/** @param named definitions of --crds, which take precedence over those with the same name */
function definitionsIn(
  documents: readonly Document[],
  unchecked: Set<string>,
  named: ReadonlyMap<string, FoundCrd> = new Map(),
): ReadonlyMap<string, FoundCrd> {
  const { crds } = collectCrds(documents, (error, crd, why) => {
    if (why === 'unreadable' || !named.has(metaOf(crd).name)) unchecked.add(error.describe());
  });
  return crds;
}

async function resultOf(
  manifest: ManifestObject,
  { name, verdict }: CheckedManifest,
  frameAt: FrameAt,
): Promise<CheckResult> {
  const written: WrittenFinding[] = [];
  for (const finding of verdict.findings) {
    const place = await placeOf(manifest, finding[foundAt]?.keys ?? []);
    written.push({ ...place, fix: finding[endedBy]?.title });
  }
  const { rendering } = manifest.applied;
  return { name, verdict, output: null, rendering, ...placesAndNotes(written, frameAt) };
}

/** A variable may make the object one of a kind that has a definition. */
async function withVariableAsKind(manifest: ManifestObject): Promise<string | undefined> {
  const { object, applied } = manifest;
  const names = ['apiVersion', 'kind'].filter(
    (key) => applied.isUnknown?.(textAt(object, key) ?? '') === true,
  );
  if (names.length === 0) return undefined;
  return `${await whereIs(manifest)}not judged: its ${names.join(' and ')} holds a variable whose value is not known here`;
}

async function whereIs(manifest: ManifestObject): Promise<string> {
  const { file, line } = await placeOfObject(manifest);
  return file === undefined ? '' : `${file}:${line}: `;
}

interface Counts {
  readonly allowed: number;
  readonly denied: number;
  readonly skipped: number;
  readonly errors: number;
}

/** The last line is kubeconform's to the letter, because scripts read it. */
function kubeconformSummary(
  documents: readonly Document[],
  { allowed, denied, skipped, errors }: Counts,
  kinds: SkippedKinds,
): string {
  const files = new Set(documents.map(({ file }) => file));
  const isStdin = files.size === 1 && files.has('-');
  const where = isStdin ? 'parsing stdin' : `in ${counted(files.size, 'file')}`;
  const resources = counted(allowed + denied + skipped, 'resource');
  const named = skipped === 0 ? '' : `Skipped, without a definition: ${kinds.describe()}\n`;
  return `${named}Summary: ${resources} found ${where} - Valid: ${allowed}, Invalid: ${denied}, Errors: ${errors}, Skipped: ${skipped}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count > 1 ? 's' : ''}`;
}
