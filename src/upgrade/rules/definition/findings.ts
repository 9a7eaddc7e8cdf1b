/** Findings of what API servers refuse in a definition, and of how large it is. */
import { knownMinors, type Refusal, type Sizes } from '../../../kubernetes/index.js';
import { type Finding, type ObjectReference, referenceTo } from '../../../rule/index.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { celCost, notStructural, refusalRules, tooLargeToApply, tooLargeToStore } from './rules.js';
import { boundWay, costWords, type ExplainedCost } from './explained-costs.js';

/** The refusals in their order, costs near their limit, then the sizes, unless another call reports them. */
export function definitionFindings(
  definition: JsonObject,
  refusals: readonly Refusal[],
  sizes: Sizes | undefined,
  { deciding = knownMinors, costs = [], sizesBefore }: FindingOptions = {},
): Finding[] {
  const object = referenceTo(definition);
  const found = refusals.map((refusal) => {
    const rule = refusalRules.find(({ covers }) => covers(refusal)) ?? notStructural;
    const { field, message, kubernetes } = refusal;
    const decides = kubernetes.some((minor) => deciding.includes(minor));
    const cost = rule.id === celCost.id ? costOf(refusal, costs) : undefined;
    const way = cost && boundWay(cost);
    return rule.finding({
      ...(decides ? {} : { severity: 'warning' }),
      fix: way?.patch,
      message: `${field}: ${message} (Kubernetes ${rangesOf(kubernetes)})${cost === undefined ? '' : `; ${costWords(cost)}`}`,
      path: field,
      object,
      // A server decides by itself, whatever may be proven about objects.
      unprovable: true,
    });
  });
  const near = costs
    .filter(({ estimated, limit }) => estimated <= limit)
    .map((cost) =>
      celCost.finding({
        severity: 'info',
        id: 'near',
        data: { field: cost.field, cost: costWords(cost), minors: rangesOf(cost.kubernetes) },
        path: cost.field,
        object,
      }),
    );
  return [
    ...found,
    ...near,
    ...(sizes === undefined ? [] : sizeFindings(sizes, object, sizesBefore)),
  ];
}

export function costOf(
  { field, kubernetes }: Pick<Refusal, 'field' | 'kubernetes'>,
  costs: readonly ExplainedCost[],
): ExplainedCost | undefined {
  return costs
    .filter((cost) => cost.field === field && cost.estimated > cost.limit)
    .filter((cost) => cost.kubernetes.some((minor) => kubernetes.includes(minor)))
    .reduce<ExplainedCost | undefined>(
      (worst, each) => (worst === undefined || each.estimated > worst.estimated ? each : worst),
      undefined,
    );
}

export interface FindingOptions {
  /** Minors whose refusal is an error; that of others is a warning. */
  readonly deciding?: readonly string[];
  /** Costs that are near or over their limit. */
  readonly costs?: readonly ExplainedCost[];
  /** Sizes of the old definition: a limit that it exceeds already is not reported again. */
  readonly sizesBefore?: (() => Sizes) | undefined;
}

/** Bytes that tools may add as labels and annotations of their own. */
const nearLimit = 2_048;

function sizeFindings(
  { limits, descriptions }: Sizes,
  object: ObjectReference,
  before: FindingOptions['sizesBefore'],
): Finding[] {
  return limits.flatMap(({ name, limit, bytes, exceeded, withoutDescriptions }) => {
    const isNear = !exceeded && name === 'last-applied annotation' && bytes > limit - nearLimit;
    if (isNear) {
      const data = { size: `${bytes} bytes`, limit };
      return [tooLargeToApply.finding({ id: 'near', data, object, severity: 'info' })];
    }
    if (!exceeded) return [];
    const already = before?.().limits.some((each) => each.name === name && each.exceeded) === true;
    const known = already ? ({ severity: 'info' } as const) : {};
    const asBefore = already ? ' (so is the old definition)' : '';
    const described =
      withoutDescriptions === bytes
        ? ''
        : `, of which descriptions are ${descriptions.percent} %; without them ${withoutDescriptions}`;
    const size = `${bytes} bytes${described}`;
    const data = { already: asBefore, size, limit };
    if (name === 'last-applied annotation') {
      return [tooLargeToApply.finding({ id: 'annotation', data, object, ...known })];
    }
    if (name === 'Helm release') {
      return [
        tooLargeToStore.finding({ id: 'secret', data, object, severity: 'warning', ...known }),
      ];
    }
    const taker = name === 'etcd' ? 'etcd' : 'a request';
    return [tooLargeToStore.finding({ id: 'request', data: { ...data, taker }, object })];
  });
}

/** `1.29, 1.31 to 1.36` */
export function rangesOf(minors: readonly string[]): string {
  const number = (minor: string): number => Number(minor.split('.')[1]);
  const runs: { first: string; last: string }[] = [];
  for (const minor of minors) {
    const run = runs[runs.length - 1];
    if (run !== undefined && number(run.last) + 1 === number(minor)) run.last = minor;
    else runs.push({ first: minor, last: minor });
  }
  return runs.map(({ first, last }) => (first === last ? first : `${first} to ${last}`)).join(', ');
}
