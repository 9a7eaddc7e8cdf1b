/** `olm-guard catalog graph PACKAGE`: the update graph as a picture. */
import { Command } from 'commander';
import {
  BreakingUpdates,
  bundleCrds,
  type Catalog,
  type CrdQuestion,
  crdVerdict,
  packageGraph,
  packageOf,
  type Step,
} from '../../olm/index.js';
import { invalidInput } from '../../text/documents/index.js';
import { graphFormats, renderGraph, type GraphFormat } from '../../report/index.js';
import { demandChannel, demandPackage, explainedPaths, namedCatalogs } from './catalog-path.js';
import {
  unknownVersion,
  readCatalogOption,
  readKnownCatalog,
  type KnownCatalog,
  readBundles,
} from '../options/known-catalogs.js';
import { writeRegularFile } from '../../text/documents/regular-file.js';
import { formOf, print, printError } from '../output.js';
import { withFlags, several, oneOf } from '../options/flags.js';

export interface GraphOptions {
  readonly catalog?: string;
  readonly channel: readonly string[];
  readonly from?: string;
  readonly v1?: true;
  readonly bundles?: string;
  readonly file?: string;
  readonly output: GraphFormat;
}

type Given = Omit<GraphOptions, 'output'> & { readonly output?: GraphFormat };

export function catalogGraphCommand(): Command {
  const command = new Command('graph').description(
    'draw the updates of a package: channels, heads, edges, and one upgrade path',
  );
  return withFlags(command, {
    '<package>': 'the name of the package',
    '[catalog]': "folder, file or catalogd's URL",
    '--catalog <catalog>': 'the catalog, in place of the argument',
    '--channel <channel>': several('only this channel (several: repeat)', 'all'),
    '--from <version>': 'draw the path from this version, or bundle name',
    '--v1': 'draw the path of OLM v1 (default: of OLM classic)',
    '--bundles <folder>': 'bundle folders, for CustomResourceDefinitions',
    '--file <file>': 'write to a file instead of standard output',
    '-o, --output <format>': oneOf(
      graphFormats,
      'what to draw (default: svg, and text on a terminal)',
    ),
  }).action(async (packageName: string, argument: string | undefined, given: Given) => {
    // The text of a picture is of no use at a prompt.
    const usual = given.file === undefined && process.stdout.isTTY ? 'text' : 'svg';
    const options = { ...given, output: given.output ?? usual };
    const [named = '', ...others] = namedCatalogs(argument, [options.catalog ?? []].flat());
    if (others.length > 0) throw invalidInput('name one catalog, not two');
    const { name, priority, source } = readCatalogOption(named);
    const catalog = await readKnownCatalog(source, { keep: 'all' });
    const text = await draw(packageName, { name, priority, catalog }, options);
    if (options.file === undefined) await print(text, formOf(options.output));
    if (given.output === undefined && options.output === 'text') {
      printError('olm-guard: -o svg > FILE draws it');
    }
    if (options.file !== undefined) await writeRegularFile(options.file, text);
  });
}

/** The picture as text. @throws InvalidInputError for what the catalog does not have. */
export async function draw(
  packageName: string,
  named: KnownCatalog,
  options: GraphOptions,
): Promise<string> {
  demandPackage(packageName, [named]);
  for (const channel of options.channel) demandChannel(channel, packageName, [named]);
  const { catalog } = named;
  const { stops, ...path } = pathOf(packageName, named, options);
  const question = await questionOf(catalog, packageName, options.bundles);
  const breaking = new BreakingUpdates(catalog, packageName, question);
  const graph = packageGraph(catalog, {
    packageName,
    breaks: (from, to) => breaking.reason(from, to),
    ...path,
    ...(options.channel.length > 0 && { channels: options.channel }),
  });
  if (graph === undefined) throw invalidInput(`has no package ${packageName}`);
  const unknown = unknownVersion(packageName, options.from, [named]);
  const leftOut = [
    ...(unknown === undefined ? [] : [unknown]),
    ...(stops === undefined ? [] : [`no way on: ${stops}`]),
    ...(graph.leftOut ?? []),
    ...(breaking.unjudged === 0
      ? []
      : [`${breaking.unjudged} updates are not judged: too many definitions differ`]),
  ];
  for (const sentence of leftOut) printError(`olm-guard: ${sentence}`);
  return renderGraph({ ...graph, ...(leftOut.length > 0 && { leftOut }) }, options.output);
}

function pathOf(
  packageName: string,
  { catalog, name, priority }: KnownCatalog,
  { from, v1, channel }: GraphOptions,
): {
  readonly path?: readonly Step[];
  readonly installed?: string;
  /** Why the path does not reach the newest. */
  readonly stops?: string;
} {
  if (from === undefined) return {};
  const found = packageOf(catalog, packageName, { name, priority });
  const item = catalog.packages.find((each) => each.name === packageName);
  const [wanted] = channel;
  const { paths } = explainedPaths({
    packageName,
    catalogs: found === undefined ? [] : [found],
    from,
    only: v1 === true ? 'v1' : 'classic',
    ...(wanted !== undefined && { channel: wanted }),
    ...(item !== undefined && { defaultChannel: item.defaultChannel }),
  });
  const [way] = paths;
  const steps = way?.path.steps ?? [];
  const stops = way?.path.error ?? way?.deadEnd;
  const installed = steps[0]?.from ?? installedName(packageName, from, catalog);
  return { path: steps, installed, stops };
}

function installedName(packageName: string, from: string, { bundles }: Catalog): string {
  const own = bundles.filter((bundle) => bundle.package === packageName);
  const found = own.find(
    ({ name, packageProperties }) => name === from || packageProperties[0]?.version === from,
  );
  return found?.name ?? `${packageName}.v${from}`;
}

async function questionOf(
  catalog: Catalog,
  packageName: string,
  folder: string | undefined,
): Promise<CrdQuestion> {
  const folders = await readBundles(folder);
  const own = catalog.bundles.filter((bundle) => bundle.package === packageName);
  const byName = new Map(own.map((bundle) => [bundle.name, bundle]));
  return {
    crdsOf: (bundle) => {
      const found = byName.get(bundle);
      return (found && bundleCrds(found)) ?? folders?.get(bundle);
    },
    judge: crdVerdict,
  };
}
