/** Reports how API servers answer a definition, before policy decides; for commands. */
import {
  DefinitionReview,
  keysOfField,
  type Refusal,
  sizesOf,
  type TargetMinors,
} from '../../../kubernetes/index.js';
import { type Finding, foundAt } from '../../../rule/index.js';
import { textAt, withValueAt } from '../../../text/documents/fields.js';
import { InvalidInputError, type JsonObject } from '../../../text/documents/index.js';
import { corruptBase64 } from '../../../text/go/index.js';
import { boundWay, explainedCosts, type BoundWay } from './explained-costs.js';
import { costOf, definitionFindings } from './findings.js';
import { withSoundFixes } from './sound-fixes.js';
import { unknownFieldFindings } from './unknown-fields.js';

export interface ServersJudgement {
  readonly findings: readonly Finding[];
  /** Bounds that make rules cheap enough, each once. */
  readonly cheaper: readonly BoundWay[];
  readonly unchecked: readonly string[];
}

/**
 * Asks about the update of the old definition, and about the create on a cluster that has none: a
 * server tolerates in an update much that it refuses in a new definition. What only a create meets is a
 * warning, for it does not stop this upgrade.
 */
export function judgeForServers(
  definition: JsonObject,
  old: JsonObject | undefined,
  { all, deciding }: TargetMinors,
): ServersJudgement {
  try {
    const [next, before] = withoutPlaceholder(definition, old);
    const review = new DefinitionReview(next, before);
    const onUpdate = before === undefined ? [] : review.refusals('update', all);
    const onCreate = review.refusals('create', all);
    // No cluster has an old definition that cannot be decoded.
    const isUnread = onUpdate.some(({ type, field }) => type === 'Decode' && field === 'old');
    const isUpdate = before !== undefined && !isUnread;
    const refusals = (isUpdate ? onUpdate : onCreate).map(withPlace);
    const left =
      next === definition ? [] : new DefinitionReview(definition).refusals('create', all);
    const more = isUpdate ? onlyNew(onCreate, onUpdate) : [];
    const costs = explainedCosts(review, all);
    const isOver = costs.filter(({ estimated, limit }) => estimated > limit);
    const findings = [
      ...definitionFindings(definition, refusals, sizesOf(definition), {
        deciding,
        costs,
        sizesBefore: old && (() => sizesOf(old)),
      }),
      ...definitionFindings(definition, more, undefined, { deciding: [], costs: isOver }).map(
        ofNewCluster,
      ),
      ...definitionFindings(definition, left.map(withPlace), undefined, { deciding: [] }),
      ...unknownFieldFindings(definition),
    ];
    const sound = withSoundFixes(findings, definition, old, all);
    const placed = sound.map((finding): Finding => {
      const keys = keysOfField(definition, finding.path ?? 'metadata.name');
      return { [foundAt]: { side: 'new', keys }, ...finding };
    });
    const tooCostly = [...refusals, ...more].flatMap((refusal) => costOf(refusal, isOver) ?? []);
    // With its rules within their limits, a schema mostly is too.
    const single = tooCostly.filter(
      ({ field }) => !tooCostly.some((other) => other.field.startsWith(`${field}.`)),
    );
    const cheaper = single.flatMap((cost) => boundWay(cost) ?? []);
    return {
      findings: placed,
      cheaper: [...new Map(cheaper.map((way) => [way.title, way])).values()],
      unchecked: [],
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError) || error.code !== 'E_LIMIT') throw error;
    const unchecked = `whether API servers take it was not judged: ${error.message}`;
    return { findings: [], cheaper: [], unchecked: [unchecked] };
  }
}

/** The end of a line, which controller-gen writes for a CA. */
const emptyCa = 'Cg==';
const caBundle = ['spec', 'conversion', 'webhook', 'clientConfig', 'caBundle'];

/** Where OLD has a placeholder for its CA: both with one that can be decoded, for all else counts. */
function withoutPlaceholder(
  definition: JsonObject,
  old: JsonObject | undefined,
): readonly [JsonObject, JsonObject | undefined] {
  const without = (each: JsonObject): JsonObject => {
    const text = textAt(each, ...caBundle);
    return text === undefined || corruptBase64(text) === undefined
      ? each
      : (withValueAt(each, caBundle, emptyCa) as JsonObject);
  };
  const before = old && without(old);
  return before === old ? [definition, old] : [without(definition), before];
}

/** Go does not say where; nothing else of a definition is base64. */
function withPlace(refusal: Refusal): Refusal {
  const field = caBundle.join('.');
  return refusal.message.startsWith('illegal base64 data') ? { ...refusal, field } : refusal;
}

/** Refusals of a create that no update has met, on the minors that have not. */
function onlyNew(onCreate: readonly Refusal[], onUpdate: readonly Refusal[]): Refusal[] {
  const nameOf = ({ field, type }: Refusal): string => JSON.stringify([field, type]);
  const known = new Map<string, Set<string>>();
  for (const refusal of onUpdate) {
    const minors = known.get(nameOf(refusal)) ?? new Set<string>();
    for (const minor of refusal.kubernetes) minors.add(minor);
    known.set(nameOf(refusal), minors);
  }
  return onCreate.flatMap((refusal) => {
    const met = known.get(nameOf(refusal));
    const kubernetes = refusal.kubernetes.filter((minor) => met?.has(minor) !== true);
    return kubernetes.length === 0 ? [] : [{ ...refusal, kubernetes }];
  });
}

function ofNewCluster(finding: Finding): Finding {
  const message = `${finding.message}; the update is taken, but not a create on a cluster that does not have the definition yet`;
  return { ...finding, message };
}
