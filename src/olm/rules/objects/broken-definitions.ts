/** Definitions on the cluster that those of a catalog's bundle break, if the catalog holds them. */
import { objectsAt } from '../../../text/documents/fields.js';
import { InvalidInputError, metaOf, type JsonObject } from '../../../text/documents/index.js';
import type { Finding } from '../../../rule/index.js';
import { isRefusedByServer } from '../../../upgrade/index.js';
import type { CatalogBundle } from '../../catalogs/index.js';
import { bundleCrds } from '../../catalogs/bundle-crds.js';
import { oncePer } from '../../once.js';
import type { RuleContext } from './rule.js';

interface BrokenDefinition {
  readonly definition: string;
  readonly problem: string;
}

/** A review finds its comparisons again by the objects themselves. */
const definitionsOf = oncePer(bundleCrds);

/** The first problem of each, by the policy's usual principle: only harm to objects counts. */
export function brokenDefinitions(
  bundle: CatalogBundle,
  {
    view,
    crdSafety,
  }: Pick<RuleContext, 'crdSafety'> & { view: Pick<RuleContext['view'], 'lookUp'> },
): BrokenDefinition[] {
  return (definitionsOf(bundle) ?? []).flatMap((next) => {
    const definition = metaOf(next).name;
    const current = view.lookUp('CustomResourceDefinition', definition);
    if (!current || objectsAt(current, 'spec', 'versions').length === 0) return [];
    const problem = harmIn(crdSafety, current, next);
    return problem === undefined ? [] : [{ definition, problem }];
  });
}

function harmIn(
  crdSafety: RuleContext['crdSafety'],
  current: JsonObject,
  next: JsonObject,
): string | undefined {
  try {
    const found = crdSafety(current, next).find(isHarm);
    return found && `${found.rule}: ${found.message}`;
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.code === 'E_LIMIT' ? `it cannot be judged: ${error.message}` : undefined;
  }
}

const harmful: readonly (string | undefined)[] = ['breaking', 'data-loss', 'undecided'];

function isHarm({
  rule,
  severity,
  effect,
  harm,
  unprovable,
  audience = 'objects',
}: Finding): boolean {
  if (severity !== 'error') return false;
  if (isRefusedByServer(rule) || unprovable === true) return true;
  return audience === 'objects' && harm === undefined && harmful.includes(effect);
}
