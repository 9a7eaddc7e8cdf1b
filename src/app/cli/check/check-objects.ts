/** `olm-guard check objects PATH… --crds NEW`: manifests of custom resources, before they are applied. */
import { Argument, Command, Option } from 'commander';
import { collectCrds, definitionOf, type FoundCrd } from '../../../upgrade/index.js';
import { valueAt } from '../../../text/documents/fields.js';
import {
  InvalidInputError,
  isObject,
  metaOf,
  objectsOf,
  own,
  parseDocuments,
  sameJson,
  type Document,
  type JsonObject,
  type Path,
  type Place,
} from '../../../text/documents/index.js';
import type { PassedOver } from '../../../text/documents/folder-walk.js';
import type { SourceFile } from '../../../text/documents/regular-file.js';
import { append } from '../../../text/long-lists.js';
import { readManifests, type Manifests } from '../../facts/manifests/manifests.js';
import type { CheckResult } from '../../report/check-report.js';
import { codeFrames } from '../../report/code-frame.js';
import { formats } from '../../report/render.js';
import { describeSkipped } from '../options/skipped-files.js';
import { checkManifest, type CheckedManifest } from '../../diagnosis/check-manifest.js';
import {
  allOption,
  decidingPolicy,
  strictOption,
  type DecisionOptions,
} from '../options/decision-options.js';
import { repeatable } from '../options/option-values.js';
import { openPolicy } from '../options/policy-option.js';
import { printError } from '../output.js';
import { startReport } from '../report-output.js';

interface Options extends DecisionOptions {
  readonly crds: readonly string[];
  readonly against: readonly string[];
  readonly policy?: string;
  readonly output: string;
}

/** An object, and where it stands. */
interface Manifest {
  readonly object: JsonObject;
  readonly document: Document;
  readonly path: Path;
  /** The document that it was rendered from, where that has the same object. */
  readonly origin?: Document | undefined;
}

interface Sources {
  readonly manifests: readonly Manifest[];
  /** Everything that was read, in which definitions may stand too. */
  readonly documents: readonly Document[];
}

export function checkObjectsCommand(): Command {
  return new Command('objects')
    .description('judge manifests of custom resources under the definitions of their kinds')
    .addArgument(
      new Argument(
        '<path...>',
        'files, folders, kustomizations, Helm charts, git:REF:path or - (standard input)',
      ),
    )
    .addOption(
      repeatable('--crds <new>', 'definitions, read like a path; those in the paths count too'),
    )
    .addOption(
      repeatable(
        '--against <old>',
        'the definitions before: what these refuse too is not blamed on the new ones',
      ),
    )
    .option('--policy <file>', 'what to deny, warn about and exempt')
    .option(...strictOption)
    .option(...allOption)
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices([...formats]).default('text'),
    )
    .addHelpText(
      'after',
      '\nExit code: 0 allowed, 1 denied, 2 bad input, or something was not checked.',
    )
    .action(async (paths: readonly string[], options: Options) => {
      const policy = decidingPolicy(await openPolicy(options.policy), options);
      const unchecked: string[] = [];
      const { manifests, documents } = await readAll(paths, unchecked);
      const shipped = await readAll(options.crds, unchecked);
      const before = await readAll(options.against, unchecked);
      const crds = definitionsIn([...shipped.documents, ...documents], unchecked);
      const old = definitionsIn(before.documents, unchecked);
      if (crds.size === 0) {
        throw new InvalidInputError(
          'E_INPUT',
          `no CustomResourceDefinition is in ${[...options.crds, ...paths].join(', ')}; name them: --crds NEW`,
        );
      }
      const report = startReport('Objects', options.output, { isAllListed: options.all === true });
      const counts = { allowed: 0, denied: 0, withoutDefinition: 0 };
      for (const manifest of manifests) {
        const found = definitionOf(manifest.object, crds);
        if (found === undefined) {
          counts.withoutDefinition++;
          continue;
        }
        const installed = old.get(found.name)?.crd.document;
        const judged = await checkManifest(manifest.object, found, installed, policy);
        append(
          unchecked,
          judged.unchecked.map((sentence) => `${whereOf(manifest)}${sentence}`),
        );
        const { verdict } = judged;
        counts[verdict.allowed ? 'allowed' : 'denied']++;
        await report.result(resultOf(manifest, judged));
      }
      if (counts.allowed + counts.denied === 0 && unchecked.length === 0) {
        unchecked.push(`no object of a kind that is defined here is in ${paths.join(', ')}`);
      }
      const isFailure = counts.denied === 0 && unchecked.length > 0;
      await report.end(counts, {
        ...(unchecked.length > 0 && { unchecked }),
        isFailure,
      });
      process.exitCode = counts.denied > 0 ? 1 : isFailure ? 2 : 0;
    });
}

/** Reads on past what cannot be read, and lists that in `unchecked`. */
async function readAll(sources: readonly string[], unchecked: string[]): Promise<Sources> {
  const manifests: Manifest[] = [];
  const documents: Document[] = [];
  for (const source of sources) {
    const passedOver: PassedOver[] = [];
    const {
      files,
      origins,
      unchecked: unread = [],
      unrendered = [],
    } = await readManifests(source, {
      onPassedOver: (entry) => passedOver.push(entry),
      onNote: (sentence) => printError(`olm-guard: ${sentence}`),
    }).catch((error: unknown): Manifests => {
      if (!(error instanceof InvalidInputError) || sources.length === 1) throw error;
      return {
        files: [],
        origins: [],
        patches: 0,
        unchecked: [`${error.describe()}; nothing of it was judged`],
      };
    });
    const isTemplate = ({ why }: PassedOver): boolean =>
      why === "Helm's templates; name the chart itself";
    append(unchecked, [
      ...unread,
      ...unrenderedSentences(unrendered),
      ...passedOver.filter(isTemplate).map(({ file, why }) => `${file}: not judged: ${why}`),
    ]);
    const others = passedOver.filter((entry) => !isTemplate(entry));
    if (others.length > 0) printError(`olm-guard: passed over: ${describeSkipped(others)}`);
    const read = files.flatMap((file) => documentsOf(file, unchecked));
    append(documents, read);
    // Rendered files are read for their lines alone.
    const written = byIdentity(origins.flatMap((file) => documentsOf(file, [])));
    for (const document of read) append(manifests, manifestsIn(document, written));
  }
  return { manifests, documents };
}

const namedFolders = 5;

function unrenderedSentences(folders: readonly string[]): string[] {
  if (folders.length === 0) return [];
  const more = folders.length - namedFolders;
  const names = folders.slice(0, namedFolders).join(', ');
  return [
    `not rendered, so that what their kustomizations make of objects was not judged: ${names}${more > 0 ? ` and ${more} more` : ''}; name these folders themselves, where kubectl or kustomize is installed`,
  ];
}

function documentsOf({ file, bytes }: SourceFile, unchecked: string[]): Document[] {
  try {
    return parseDocuments(bytes, { file });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    unchecked.push(`${error.describe()}; nothing in this file was judged`);
    return [];
  }
}

function manifestsIn(document: Document, written: ReadonlyMap<string, Document>): Manifest[] {
  return [...objectsOf(document.value)].flatMap(({ value: object, path }) => {
    if (!isObject(object) || typeof own(object, 'kind') !== 'string') return [];
    if (own(object, 'kind') === 'CustomResourceDefinition') return [];
    return [{ object, document, path, origin: written.get(identityOf(object)) }];
  });
}

/** The first document of each object. */
function byIdentity(documents: readonly Document[]): Map<string, Document> {
  const found = new Map<string, Document>();
  for (const document of documents) {
    const identity = isObject(document.value) ? identityOf(document.value) : undefined;
    if (identity !== undefined && !found.has(identity)) found.set(identity, document);
  }
  return found;
}

/** Without the namespace, which a kustomization may add. */
function identityOf(object: JsonObject): string {
  const { name } = metaOf(object);
  return JSON.stringify([own(object, 'apiVersion'), own(object, 'kind'), name]);
}

function definitionsIn(
  documents: readonly Document[],
  unchecked: string[],
): ReadonlyMap<string, FoundCrd> {
  const { crds } = collectCrds(documents, (error, _crd, why) => {
    if (why === 'unreadable') unchecked.push(error.describe());
  });
  return crds;
}

function resultOf(manifest: Manifest, { name, verdict, keysOf }: CheckedManifest): CheckResult {
  const shown = verdict.findings.map((finding) => placeOf(manifest, keysOf(finding)));
  const framesOf = {
    written: codeFrames(manifest.origin),
    read: codeFrames(manifest.document),
  };
  return {
    name,
    verdict,
    output: null,
    places: shown.map(({ place }) => place),
    notes: shown.map(({ place, text }) => ({ frame: framesOf[text](place.line) })),
  };
}

interface Shown {
  readonly place: Place;
  readonly text: 'written' | 'read';
}

/** In the file that was written, unless a kustomization or a chart has changed the value. */
function placeOf({ object, document, path, origin }: Manifest, keys: Path): Shown {
  const isUnchanged =
    origin !== undefined && sameJson(valueAt(origin.value, ...keys), valueAt(object, ...keys));
  return isUnchanged
    ? { place: origin.placeOf(keys), text: 'written' }
    : { place: document.placeOf([...path, ...keys]), text: 'read' };
}

function whereOf({ document: { file, line } }: Manifest): string {
  return file === undefined ? '' : `${file}:${line}: `;
}
