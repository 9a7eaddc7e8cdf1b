/** Looks in a thread for a manifest of a bundle that OLM unpacked into a ConfigMap. */
import type { WantedInBundle } from '../../cluster/index.js';
import { type FoundManifest, oncePer } from '../../olm/index.js';
import { own, type JsonObject } from '../../text/documents/index.js';
import { shareJson } from '../../text/documents/shared-json.js';
import { UnfinishedError, type ReviewContext } from './reviewer.js';

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
