/** Autoscalers of the objects of a definition: listed while it is reviewed, and not followed. */
import { consumerOf, type NeededDefinition } from '../../olm/index.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import { objectPages, readPage, ClusterError, formatResource } from '../../cluster/index.js';
import { Turns } from './turns.js';
import type { AssessContext } from './reviewer.js';

export const autoscalers = {
  group: 'autoscaling',
  version: 'v2',
  resource: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
} as const;

const mostMilliseconds = 5_000;
/** Left of the review's time for deciding and answering. */
const marginMilliseconds = 500;
/** A list may be large, and any update can ask for one: one user's updates leave a turn to others. */
const listing = { slots: 2, minMilliseconds: 0, patience: mostMilliseconds };

export interface FoundAutoscalers {
  /** Names and namespaces. */
  readonly objects: readonly JsonObject[];
  /** Why these may not be all. */
  readonly unseen?: string;
}

/** Reads page by page, and keeps of each only whether it scales objects of the definition. */
export class Autoscalers {
  private readonly turns = new Turns(listing);

  async find(
    definition: NeededDefinition,
    { view, until = Infinity, signal, isHurried, asker = [] }: AssessContext,
  ): Promise<FoundAutoscalers> {
    const left = until - performance.now() - marginMilliseconds;
    const tooMuch = { objects: [], unseen: 'too much else is under way' };
    if (isHurried === true || left <= 0) return tooMuch;
    const late = AbortSignal.timeout(Math.ceil(Math.min(left, mostMilliseconds)));
    const signals = signal === undefined ? [late] : [late, signal];
    const objects: JsonObject[] = [];
    const over = AbortSignal.any(signals);
    const giveBack = await this.turns.take(asker, over);
    if (giveBack === undefined) return tooMuch;
    try {
      const options = { signal: over, first: 100 };
      for await (const page of objectPages(view, autoscalers, readPage, options)) {
        for (const item of page.objects) {
          const { name, namespace } = metaOf(item);
          const whole = { ...item, apiVersion: 'autoscaling/v2', kind: autoscalers.kind };
          if (consumerOf(whole, definition) === undefined) continue;
          objects.push({ kind: autoscalers.kind, metadata: { name, namespace } });
        }
      }
      return { objects };
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      // A cluster without the kind has no autoscalers.
      if (error.status === 404) return { objects };
      const unseen = error.isForbidden
        ? `no right to list ${formatResource(autoscalers)}`
        : error.message;
      return { objects, unseen };
    } finally {
      giveBack();
    }
  }
}
