import {
  catalogFindings,
  catalogHeads,
  countObjects,
  loadCatalog,
  type TreeNode,
  validateCatalog,
} from '../../olm/index.js';
import { requiring, text } from './schemas.js';
import { defineOperation } from './operation.js';

interface CatalogInput {
  readonly files: Readonly<Record<string, string>>;
}

export const catalog = defineOperation<CatalogInput>({
  name: 'catalog',
  summary: 'Says whether opm would accept a file-based catalog, at which stage it fails, and why.',
  input: requiring(['files'], {
    files: {
      type: 'object',
      description: 'The content of every file by its path from the root of the catalog.',
      additionalProperties: text,
    },
  }),
  judge({ files }) {
    const inputs = Object.entries(files).map(([path, content]) => ({ path, content }));
    const loaded = loadCatalog(inputs);
    const { filesRead } = loaded;
    if (loaded.error !== undefined) {
      const { message, where } = loaded.error;
      return {
        allowed: false,
        findings: catalogFindings(loaded),
        output: { ok: false, stage: 'load', errors: [message], where, filesRead },
      };
    }
    const counts = countObjects(loaded.catalog);
    const validation = validateCatalog(loaded.catalog);
    const findings = catalogFindings(loaded, validation);
    if (validation.error !== undefined) {
      const { error, tree } = validation;
      const shown = tree === undefined ? {} : { tree: plainTree(tree) };
      return {
        allowed: false,
        findings,
        output: { ok: false, stage: 'convert', errors: [error], ...shown, counts, filesRead },
      };
    }
    const heads = validation.model === undefined ? [] : [...catalogHeads(validation.model)];
    // A catalog without channels has none, and the reference leaves the field out.
    const shown = heads.length === 0 ? {} : { heads: Object.fromEntries(heads) };
    return { allowed: true, findings, output: { ok: true, counts, ...shown, filesRead } };
  },
});

function plainTree({ message, children }: TreeNode): Pick<TreeNode, 'message' | 'children'> {
  return children === undefined ? { message } : { message, children: children.map(plainTree) };
}
