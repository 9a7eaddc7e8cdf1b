/** opm's verdict on a catalog that is loaded: whether it is valid, and if not, at which stage it fails. */
import { InvalidInputError } from '../../text/documents/index.js';
import {
  type Catalog,
  type ChannelEntry,
  channelHeads,
  type ObjectPlace,
  replacesChainProblem,
} from './catalog.js';
import {
  buildModel,
  type BundleModel,
  type CatalogModel,
  type ChannelModel,
  type PackageModel,
} from './model.js';
import {
  formatVersion,
  InvalidVersionError,
  parseBlangRange,
  readBlangRange,
  type Version,
} from '../../text/versions/index.js';
import { compareBytes, quote } from '../../text/go/index.js';
import { attempt, valueUnless } from '../once.js';

interface Complaint {
  readonly message: string;
  readonly place: ObjectPlace;
  readonly within: readonly string[];
}

export interface Validation {
  readonly error?: string;
  readonly tree?: TreeNode;
  readonly complaints: readonly Complaint[];
  readonly model?: CatalogModel;
}

/** Rule: `declcfg.ConvertToModel`, which ends with `Model.Validate`. */
export function validateCatalog(catalog: Catalog): Validation {
  const model = attempt(InvalidInputError, () => buildModel(catalog));
  if (model instanceof InvalidInputError) {
    const { message, where: place } = model;
    return { error: message, complaints: [{ message, place, within: [] }] };
  }
  const tree = branch('invalid index', [...model.values()].map(packageTree));
  if (tree === undefined) return { model, complaints: [] };
  const complaints = treeLeaves(tree).map(({ path, leaf }) => ({
    message: leaf.message,
    place: leaf.place ?? {},
    within: path.slice(1).map(({ message }) => message.replace(/^invalid /, '')),
  }));
  return { error: renderTree(tree), tree, complaints, model };
}

/** The head of each channel, by `package/channel`; in a valid catalog each has one. */
export function catalogHeads(model: CatalogModel): ReadonlyMap<string, string> {
  const heads = new Map<string, string>();
  for (const [name, { channels }] of model) {
    for (const channel of channels.values()) {
      const [head] = channelHeads([...channel.entries.values()]);
      if (head !== undefined) heads.set(`${name}/${channel.name}`, head.name);
    }
  }
  return heads;
}

/** A message and what it is about; only leaves are complaints, the rest names where they belong. */
export interface TreeNode {
  readonly message: string;
  readonly children?: readonly TreeNode[];
  readonly place?: ObjectPlace;
}

function renderTree(root: TreeNode): string {
  const lines: string[] = [];
  const print = (node: TreeNode, first: string, next: string): void => {
    const children = node.children ?? [];
    lines.push(`${first}${node.message}${children.length > 0 ? ':' : ''}`);
    for (const [index, child] of children.entries()) {
      const last = index === children.length - 1;
      print(child, `${next}${last ? '└── ' : '├── '}`, `${next}${last ? '    ' : '│   '}`);
    }
  };
  print(root, '', '');
  return lines.join('\n');
}

function treeLeaves(
  root: TreeNode,
): { readonly path: readonly TreeNode[]; readonly leaf: TreeNode }[] {
  const children = root.children ?? [];
  if (children.length === 0) return [{ path: [], leaf: root }];
  return children.flatMap((child) =>
    treeLeaves(child).map(({ path, leaf }) => ({ path: [root, ...path], leaf })),
  );
}

function branch(
  message: string,
  children: readonly (TreeNode | undefined)[],
  place?: ObjectPlace,
): TreeNode | undefined {
  const found = children.filter((child) => child !== undefined);
  if (found.length === 0) return undefined;
  return { message, children: found, place };
}

function packageTree(item: PackageModel): TreeNode | undefined {
  const { place, name, defaultChannel } = item.package;
  const leaf = (message: string): TreeNode => ({ message, place });
  return branch(
    `invalid package ${quote(name)}`,
    [
      defaultChannel === '' ? leaf('default channel must be set') : undefined,
      item.channels.size === 0 ? leaf('package must contain at least one channel') : undefined,
      ...[...item.channels.values()].map((channel) => channelTree(item, channel)),
      duplicateVersions(item),
      item.deprecation === '' ? leaf('invalid deprecation: message must be set') : undefined,
    ],
    place,
  );
}

function channelTree(item: PackageModel, channel: ChannelModel): TreeNode | undefined {
  const place = channel.channel?.place ?? item.package.place;
  const leaf = (message: string): TreeNode => ({ message, place });
  const entries = [...channel.entries.values()];
  const chain = entries.length === 0 ? undefined : replacesChainProblem(entries);
  return branch(
    `invalid channel ${quote(channel.name)}`,
    [
      entries.length === 0 ? leaf('channel must contain at least one bundle') : undefined,
      chain === undefined ? undefined : leaf(chain),
      ...entries.map((entry) => bundleTree(item, entry, place)),
      channel.deprecation === '' ? leaf('invalid deprecation: message must be set') : undefined,
    ],
    place,
  );
}

function bundleTree(
  item: PackageModel,
  entry: ChannelEntry,
  channelPlace: ObjectPlace,
): TreeNode | undefined {
  const model = item.bundles.get(entry.name);
  const place = model?.bundle.place ?? channelPlace;
  const complaints: TreeNode[] = [];
  if (entry.name === '') complaints.push({ message: 'name must be set', place: channelPlace });
  const normalized = normalizedName(item, entry, model);
  if (entry.name !== normalized) {
    const message = `name ${quote(entry.name)} does not match normalized name ${quote(normalized)}`;
    complaints.push({ message, place });
  }
  for (const [index, skip] of entry.skips.entries()) {
    if (skip === '') complaints.push({ message: `skip[${index}] is empty`, place: channelPlace });
  }
  const range = entry.skipRange === '' ? undefined : rangeProblem(entry.skipRange);
  if (range !== undefined) {
    const message = `invalid skipRange ${quote(entry.skipRange)}: ${range}`;
    complaints.push({ message, place: channelPlace });
  }
  if (model === undefined) {
    const message = 'must be exactly one property with type "olm.package"';
    complaints.push({ message, place: channelPlace });
  }
  if ((model?.bundle.image ?? '') === '' && (model?.bundle.objectCount ?? 0) === 0) {
    complaints.push({ message: 'bundle image must be set', place });
  }
  if (item.bundleDeprecations.get(entry.name) === '') {
    complaints.push({ message: 'invalid deprecation: message must be set', place });
  }
  if (model !== undefined && model.version.build.length > 0 && model.release !== '') {
    const message = 'cannot use build metadata in version with a release version';
    complaints.push({ message, place });
  }
  if (complaints.length === 0) return undefined;
  return { message: `invalid bundle ${quote(entry.name)}`, children: complaints, place };
}

/** A bundle with a release is named `<package>-v<version>-<release>`. */
function normalizedName(
  item: PackageModel,
  entry: ChannelEntry,
  model: BundleModel | undefined,
): string {
  if (model === undefined || model.release === '') return entry.name;
  return `${item.package.name}-v${versionText(model)}`;
}

/** Version and release as one text; entries without a bundle count as 0.0.0 in the reference. */
function versionText(model: BundleModel | undefined): string {
  if (model === undefined) return '0.0.0';
  const version = formatVersion(model.version);
  return model.release === '' ? version : `${version}-${model.release}`;
}

/** Ranges repeat from entry to entry. */
const ranges = new Map<string, string | undefined>();
const maxRanges = 10_000;

export function rangeProblem(range: string): string | undefined {
  if (ranges.has(range)) return ranges.get(range);
  const read = attempt(InvalidVersionError, () => readBlangRange(range));
  const problem = read instanceof InvalidVersionError ? read.message : undefined;
  if (ranges.size >= maxRanges) ranges.clear();
  ranges.set(range, problem);
  return problem;
}

export function rangePredicate(range: string): ((version: Version) => boolean) | undefined {
  if (rangeProblem(range) !== undefined) return undefined;
  const covers = parseBlangRange(range);
  return (version) => valueUnless(InvalidVersionError, () => covers(version)) === true;
}

function duplicateVersions(item: PackageModel): TreeNode | undefined {
  const byVersion = new Map<string, Set<string>>();
  for (const { entries } of item.channels.values()) {
    for (const name of entries.keys()) {
      const version = versionText(item.bundles.get(name));
      const names = byVersion.get(version);
      if (names === undefined) byVersion.set(version, new Set([name]));
      else names.add(name);
    }
  }
  const duplicates = [...byVersion]
    .filter(([, names]) => names.size > 1)
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([version, names]) => `{${version}: [${[...names].sort(compareBytes).join(', ')}]}`);
  if (duplicates.length === 0) return undefined;
  return {
    message: `duplicate versions found in bundles: [${duplicates.join(' ')}]`,
    place: item.package.place,
  };
}
