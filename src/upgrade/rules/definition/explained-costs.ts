/** Explains the cost of rules near or over their limit, in words and as the patch that reduces it. */
import type { Operation } from 'fast-json-patch';
import {
  type CostBound,
  type CostEstimate,
  type CostPlace,
  DefinitionCosts,
  type DefinitionReview,
} from '../../../kubernetes/index.js';
import { formatPointer } from '../../../text/json-pointer.js';

export interface ExplainedCost extends CostEstimate {
  readonly multipliedBy: readonly CostPlace[];
  readonly bounds: readonly CostBound[];
}

/** A change that ends a finding: in a few words, and as RFC 6902. */
export interface BoundWay {
  readonly title: string;
  readonly patch: readonly Operation[];
}

/** Each explanation looks at the schema many times; only the first rules that cost too much get one. */
const maxExplained = 16;

/** Estimates from four fifths of the limit on. */
export function explainedCosts(
  review: DefinitionReview,
  minors: readonly string[],
): readonly ExplainedCost[] {
  const costs = new DefinitionCosts(review);
  const near = costs
    .estimates(minors)
    .filter(({ estimated, limit }) => 5n * estimated >= 4n * limit);
  const over = near.filter(({ estimated, limit }) => estimated > limit).slice(0, maxExplained);
  const explained = costs.explain(over);
  return near.map((cost) => {
    const found = explained[over.indexOf(cost)];
    return { ...cost, multipliedBy: [], bounds: [], ...found };
  });
}

const maxNamed = 4;

/** `estimated 20000003 of 10000000; multiplied by ^.routes (no maxItems): add maxItems: 1999999 to ^.routes` */
export function costWords({ estimated, limit, multipliedBy, bounds }: ExplainedCost): string {
  const size = estimated === 2n ** 64n - 1n ? 'without any bound' : String(estimated);
  const names = multipliedBy.slice(0, maxNamed).map(({ path, keyword, now, elsewhere }) => {
    const known = now === undefined ? `no ${keyword}` : `${keyword} ${now}`;
    const uncounted = elsewhere === undefined ? '' : `; ${elsewhere} in allOf does not count`;
    return `${path} (${known}${uncounted})`;
  });
  if (multipliedBy.length > maxNamed) names.push(`${multipliedBy.length - maxNamed} more`);
  const by = names.length === 0 ? '' : `; multiplied by ${names.join(', ')}`;
  const way = bounds.length === 0 ? '' : `: ${titleOf(bounds)}`;
  return `estimated cost ${size}, and at most ${limit} may be${by}${way}`;
}

export function boundWay({ bounds }: ExplainedCost): BoundWay | undefined {
  if (bounds.length === 0) return undefined;
  const patch = bounds.flatMap(({ stands, keyword, most }) =>
    stands.map((keys): Operation => ({
      op: 'add',
      path: formatPointer([...keys, keyword]),
      value: most,
    })),
  );
  return { title: titleOf(bounds), patch };
}

function titleOf(bounds: readonly CostBound[]): string {
  const words = bounds.map(({ path, keyword, most }) => `${keyword}: ${most} to ${path}`);
  return `add ${words.join(', ')}`;
}
