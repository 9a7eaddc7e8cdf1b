/** Differences of fields that are on both sides, by their keywords. */
import type { ChangedField } from '../../crd/difference.js';
import type { ContractDifference, ContractPair } from './rule.js';

/** @param reason what is otherwise about a field in which one of the keywords differs; undefined for nothing */
export function* fieldDifferences(
  { changed }: ContractPair,
  keywords: readonly string[],
  reason: (field: ChangedField) => string | undefined,
): Generator<ContractDifference> {
  for (const { new: version, field } of changed) {
    if (!keywords.some((keyword) => field.keywords.has(keyword))) continue;
    const said = reason(field);
    if (said === undefined) continue;
    yield {
      reason: said,
      version: version.name,
      path: field.path,
      place: { side: 'new', version: version.index, spot: field.spot },
    };
  }
}
