/** Judges the definitions of an InstallPlan by the stored objects, and by who relies on them. */
import type { WantedInBundle, OlmState } from '../../cluster/index.js';
import { type FoundManifest, oncePer } from '../../olm/index.js';
import { own, type JsonObject, stringifyJson } from '../../text/documents/index.js';
import { shareJson } from '../../text/documents/json.js';
import { UnfinishedError, type ReviewContext, type AssessContext } from './reviewer.js';
import type { Finding } from '../../rule/index.js';
import { ofPlan } from '../../checks/index.js';
import { judgeRequirements } from './compatibility-requirements.js';
import type { ConsumerVerdicts, DefinitionConsumers } from './definition-consumers.js';
import { storedUpdate, type DefinitionUpdate } from './stored-objects.js';
import type { StoredScans } from './stored-scan.js';

// Looks in a thread for a manifest of a bundle that OLM unpacked into a ConfigMap.

/** A ConfigMap is serialized once, and a thread reads and unpacks equal text once. */
const shared = oncePer((configMap: JsonObject) => shareJson(configMap));

export async function manifestElsewhere(
  configMap: JsonObject,
  { bundle, wanted }: WantedInBundle,
  { judge }: Pick<ReviewContext, 'judge'>,
): Promise<FoundManifest> {
  const where = `ConfigMap ${bundle.namespace}/${bundle.name}`;
  const question = { bundle: { ...bundle }, wanted: { ...wanted } };
  try {
    const attached = { shared: { configMap: shared(configMap) }, takesLong: true } as const;
    const answer = await judge('bundle-manifest', question, attached);
    const output = own(answer, 'output');
    if (output !== undefined) return output as unknown as FoundManifest;
    return { unread: `${where} cannot be read` };
  } catch (error) {
    if (!(error instanceof UnfinishedError)) throw error;
    const unread = `${where} was not read: ${error.message}`;
    // A judgement that is late or too large is the fault of the ConfigMap; a busy or closing pool is not.
    const isOthers = error.notBegun === 'busy' || error.notBegun === 'closing';
    return isOthers ? { unread, isUnfinished: true } : { unread, isTooMuch: true };
  }
}

export interface PlanJudges {
  readonly state: OlmState;
  readonly scans: StoredScans;
  readonly consumers: DefinitionConsumers;
}

/** One definition after the other, within the budget that a single one has. */
export async function judgePlanned(
  updates: readonly DefinitionUpdate[],
  context: AssessContext,
  { state, scans, consumers }: PlanJudges,
): Promise<ConsumerVerdicts> {
  const end = performance.now() + context.policy.budgets.storedObjectsSeconds * 1000;
  const findings: Finding[] = [];
  const unchecked: string[] = [];
  // The bytes of the review hold the plan, and not its definitions.
  const withoutBody = { ...context, body: undefined };
  for (const update of distinct(updates)) {
    const left = Math.max(0, end - performance.now());
    const { name, old, next } = update;
    const request = { operation: 'UPDATE', name, oldObject: old, object: next } as const;
    const [stored, lost, required] = await Promise.all([
      storedUpdate(update, left, context, scans),
      consumers.judge(update, context),
      judgeRequirements(request, state, withoutBody),
    ]);
    for (const finding of [...stored, ...lost.findings, ...required.findings]) {
      findings.push(ofPlan(name, finding));
    }
    for (const sentence of [...lost.unchecked, ...required.unchecked]) {
      unchecked.push(`CustomResourceDefinition ${name}: ${sentence}`);
    }
  }
  return { findings, unchecked };
}

/** Several steps of a plan, one for each bundle, may bring the same definition. */
function distinct(updates: readonly DefinitionUpdate[]): Iterable<DefinitionUpdate> {
  return new Map(
    updates.map((update) => [`${update.name} ${stringifyJson(update.next)}`, update]),
  ).values();
}
