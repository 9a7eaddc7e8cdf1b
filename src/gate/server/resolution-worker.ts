/** The thread that holds the catalogs' index: takes catalogs in pieces, and resolves by them. */
import { bytesOf } from './job-input.js';
import { parentPort } from 'node:worker_threads';
import { answerResolution, type ResolutionQuestion } from '../admission/resolution-question.js';
import { GatheredCatalog, type CatalogPiece } from '../../repository/index.js';
import { parseJson, stringifyJson } from '../../text/documents/index.js';
import { catalogState, loadCatalogs, type LoadedCatalogs } from '../../olm/index.js';
import type { JobMessage, JobResult, ThreadMessage } from './judge-worker.js';

export interface CatalogOrigin {
  readonly name: string;
  readonly namespace: string;
  readonly priority: number;
}

/** A beginning forgets what was begun before; what came to its end is in force until the next end. */
export type CatalogMessage =
  | { readonly catalogs: 'begin'; readonly origins: readonly CatalogOrigin[] }
  | { readonly catalogs: 'piece'; readonly of: number; readonly piece: CatalogPiece }
  | { readonly catalogs: 'end' };

let gathering: { readonly origin: CatalogOrigin; readonly gathered: GatheredCatalog }[] = [];
let loaded: LoadedCatalogs | undefined;
let waiting: JobMessage[] = [];

parentPort?.on('message', (message: JobMessage | CatalogMessage) => {
  if ('catalogs' in message) take(message);
  else if (loaded === undefined) waiting.push(message);
  else parentPort?.postMessage(resultOf(message, loaded));
});

parentPort?.postMessage('ready' satisfies ThreadMessage);

function take(message: CatalogMessage): void {
  switch (message.catalogs) {
    case 'begin':
      gathering = message.origins.map((origin) => ({ origin, gathered: new GatheredCatalog() }));
      return;
    case 'piece':
      gathering[message.of]?.gathered.add(message.piece);
      return;
    case 'end': {
      const states = gathering.map(({ origin, gathered }) =>
        catalogState(gathered.catalog, origin),
      );
      gathering = [];
      const index = (loaded = loadCatalogs(states));
      for (const job of waiting) parentPort?.postMessage(resultOf(job, index));
      waiting = [];
    }
  }
}

function resultOf({ input }: JobMessage, index: LoadedCatalogs): JobResult {
  try {
    const question = parseJson(bytesOf(input)) as unknown as ResolutionQuestion;
    return { answer: stringifyJson(answerResolution(question, index)) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
