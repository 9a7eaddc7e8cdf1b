import type { ChangedField } from '../../crd/difference.js';
import type { Pin } from '../../proof/pin.js';
import type { MessageOf, Messages } from '../../../rule/index.js';
import type { ContractDifference, ContractPair } from './rule.js';

interface Evidence<Message> {
  /** The message where no object was found that shows it; the same by default. */
  readonly otherwise?: Message;
  readonly inner?: readonly string[];
  readonly pin?: Pin;
}

/** @param describe what is different about a field in which one of the keywords differs; undefined for nothing */
export function* fieldDifferences<Of extends Messages>(
  { changed, shows }: ContractPair,
  keywords: readonly string[],
  describe: (field: ChangedField) => (MessageOf<Of> & Evidence<MessageOf<Of>>) | undefined,
): Generator<ContractDifference<Of>> {
  for (const { new: version, field } of changed) {
    if (!keywords.some((keyword) => field.keywords.has(keyword))) continue;
    const found = describe(field);
    if (found === undefined) continue;
    const { otherwise, inner, pin, ...message } = found;
    const paths = inner?.map((name) => `${field.path}.${name}`) ?? [field.path];
    const within = { field, pin };
    const witness = shows?.(version.name, paths, within);
    yield {
      ...((witness === undefined ? otherwise : undefined) ?? message),
      witness,
      version: version.name,
      path: field.path,
      place: { side: 'new', version: version.index, spot: field.spot },
    } as ContractDifference<Of>;
  }
}
