/** opm's verdict on a catalog that is loaded: whether it is valid, and if not, at which stage it fails. */
import { InvalidInputError } from '../../text/documents/index.js';
import type { Catalog, ObjectPlace } from './catalog.js';
import { channelHeads } from './channel-graph.js';
import { buildModel, type CatalogModel } from './model.js';
import { renderTree, treeLeaves, validationTree, type TreeNode } from './validation-tree.js';

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
  let model: CatalogModel;
  try {
    model = buildModel(catalog);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return {
      error: error.message,
      complaints: [{ message: error.message, place: error.where, within: [] }],
    };
  }
  const tree = validationTree(model);
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
