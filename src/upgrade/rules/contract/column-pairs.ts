import type { JsonObject } from '../../../text/documents/index.js';
import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import type { ContractDifference, ContractPair } from './rule.js';
import { objectsAt } from '../../../text/documents/fields.js';
import { textOf } from './subresources.js';

interface ColumnPair {
  readonly before: ReadonlyMap<string, JsonObject>;
  readonly after: ReadonlyMap<string, JsonObject>;
  readonly at: Pick<ContractDifference, 'version' | 'place'>;
}

/** One pair for each version that both sides have. */
export function columnPairs({ shared }: ContractPair): ColumnPair[] {
  return shared.map(({ old, new: updated }) => ({
    before: columnsOf(old),
    after: columnsOf(updated),
    at: {
      version: updated.name,
      place: { side: 'new', keys: ['spec', 'versions', updated.index] },
    },
  }));
}

function columnsOf(version: DefinitionVersion): Map<string, JsonObject> {
  const columns = objectsAt(version.document, 'additionalPrinterColumns');
  return new Map(columns.map((column) => [textOf(column, 'name'), column]));
}

/** Without white space in a filter, and with one kind of quotes. */
export function normalizedJsonPath(column: JsonObject): string {
  return textOf(column, 'jsonPath').replace(
    /'([^'"\\]*)'|"([^'"\\]*)"|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\s+/g,
    (space, single?: string, double?: string, other?: string) =>
      other ?? (space.trim() === '' ? '' : `"${single ?? double ?? ''}"`),
  );
}
