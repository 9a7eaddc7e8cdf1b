/** Judges the definitions of an InstallPlan by the stored objects. */
import { stringifyJson } from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';
import type { AssessContext } from './reviewer.js';
import { storedUpdate, type DefinitionUpdate } from './stored-objects.js';
import type { StoredScans } from './stored-scan.js';

/** One definition after the other, within the budget that a single one has. */
export async function storedByPlan(
  updates: readonly DefinitionUpdate[],
  context: AssessContext,
  scans: StoredScans,
): Promise<Finding[]> {
  const end = performance.now() + context.policy.budgets.storedObjectsSeconds * 1000;
  const findings: Finding[] = [];
  for (const update of distinct(updates)) {
    const left = Math.max(0, end - performance.now());
    for (const finding of await storedUpdate(update, left, context, scans)) {
      findings.push({
        ...finding,
        message: `CustomResourceDefinition ${update.name}: ${finding.message}`,
        cause: [update.name, finding.cause].filter((part) => part !== undefined).join(' '),
      });
    }
  }
  return findings;
}

/** Several steps of a plan, one for each bundle, may bring the same definition. */
function distinct(updates: readonly DefinitionUpdate[]): Iterable<DefinitionUpdate> {
  return new Map(
    updates.map((update) => [`${update.name} ${stringifyJson(update.next)}`, update]),
  ).values();
}
