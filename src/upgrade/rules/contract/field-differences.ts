/** Differences of fields that are on both sides, by their keywords. */
import type { ChangedField } from '../../crd/difference.js';
import type { Pin } from '../../proof/pin.js';
import type { ContractDifference, ContractPair } from './rule.js';

/** What is otherwise about a field, and what stands there in an object that shows it. */
interface Said {
  readonly reason: string;
  /** What is said where no object was found that shows it; the reason by default. */
  readonly otherwise?: string;
  /** Names of fields inside it that it is about. */
  readonly inner?: readonly string[];
  readonly pin?: Pin;
}

/** @param reason what is otherwise about a field in which one of the keywords differs; undefined for nothing */
export function* fieldDifferences(
  { changed, shows }: ContractPair,
  keywords: readonly string[],
  reason: (field: ChangedField) => string | Said | undefined,
): Generator<ContractDifference> {
  for (const { new: version, field } of changed) {
    if (!keywords.some((keyword) => field.keywords.has(keyword))) continue;
    const found = reason(field);
    if (found === undefined) continue;
    const said: Said = typeof found === 'string' ? { reason: found } : found;
    const paths = said.inner?.map((name) => `${field.path}.${name}`) ?? [field.path];
    const within = { field, ...(said.pin === undefined ? {} : { pin: said.pin }) };
    const witness = shows?.(version.name, paths, within);
    yield {
      reason: witness === undefined ? (said.otherwise ?? said.reason) : said.reason,
      ...(witness === undefined ? {} : { witness }),
      version: version.name,
      path: field.path,
      place: { side: 'new', version: version.index, spot: field.spot },
    };
  }
}
