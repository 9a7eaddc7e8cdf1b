/**
 * How much memory each part of the gate may hold, in MiB: all together fit the limit of its container
 * (manifests/base/deployment.yaml), and what they may hold is no more than this wherever it runs. And
 * the same for the sidecar, which has no manifest: it takes no more than `maxSidecar`.
 */
import { availableParallelism, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** Node, its libraries and all code, beside the heaps. */
const program = 64;

/** The event loop's heap: what V8 may keep, and each of its three spaces for what is new. */
export const mainHeap = 256;
export const semiSpace = 8;

/** Objects parsed from bodies on that heap: for large definitions, and the same again for all other kinds. */
export const parsedReviews = 48;
/** And for definitions that are not large. */
export const parsedDefinitions = 12;
/** And for answers of threads that are kept for callers that ask again. */
export const keptAnswers = 4;

/** Bodies beside the one in each lane that there is always room for. */
export const sharedBodies = 16;
const lanes = 10;
const largestBody = 7;
export const bodies = lanes * largestBody + sharedBodies;

/** Connections at a time; each keeps 170 KiB in Node and OpenSSL once it has sent a large body. */
export const maxConnections = 1300;
/** And at the port of probes and metrics, of 40 KiB, since no client sends a body there. */
export const probeConnections = 384;
/** And at each port the connections that are not read yet, of 4 KiB. */
export const waitingConnections = 640;
const waiting = waitingConnections * 4;
const connections = Math.ceil((maxConnections * 170 + probeConnections * 40 + 2 * waiting) / 1024);

/** A thread for judgements, and the one for small ones: what V8 may keep of each. */
export const threadHeap = 192;
/** How many values a document may hold there: while it is built it must not be all of the heap. */
export const threadValues = (threadHeap * 1024 * 1024) / 64;
export const quickThreadHeap = 96;
/** Memory of a thread beside its heap: its young generation, and its code and stack. */
export const threadYoung = 24;
const threadOverhead = threadYoung + 10;

/** The thread that resolves, where there are catalogs: it keeps their index. */
const leastResolver = 384;
const maxResolver = 2048;

const beside = program + bodies + connections + (quickThreadHeap + threadOverhead);
const oneThread = threadHeap + threadOverhead;

export interface Shape {
  readonly heap?: number;
  readonly hasCatalogs?: boolean;
}

const shippedHeap = mainHeap + 3 * semiSpace;

export interface MemoryPlan {
  /** How many judgements run at once, beside small ones. */
  readonly threads: number;
  readonly resolver: number;
}

/** MiB of all parts together. */
export function sum(
  { threads, resolver }: MemoryPlan,
  { heap = shippedHeap, hasCatalogs = false }: Shape = {},
): number {
  const rest = hasCatalogs ? resolver + threadOverhead : 0;
  return beside + heap + threads * oneThread + rest;
}

/** Shares out what there is: as many threads as there is memory and processors for, and at least one. */
export function planMemory(limit: number, shape: Shape = {}): MemoryPlan {
  // The event loop keeps a processor of its own where there is more than one.
  const most = Math.max(1, Math.min(4, availableParallelism() - 1));
  const left = limit - sum({ threads: 0, resolver: leastResolver }, shape);
  const threads = Math.max(1, Math.min(most, Math.floor(left / oneThread)));
  const more = Math.floor(limit - sum({ threads, resolver: 0 }, shape));
  return { threads, resolver: Math.max(leastResolver, Math.min(maxResolver, more)) };
}

/** Bytes of a heap, in MiB, for what is kept of the cluster's objects, however many there are. */
export function keptState(heap = getHeapStatistics().heap_size_limit / 1024 / 1024): number {
  return Math.floor(heap / 4) * 1024 * 1024;
}

export function planOwnMemory(hasCatalogs: boolean): MemoryPlan {
  const heap = getHeapStatistics().heap_size_limit / 1024 / 1024;
  return planMemory(ownLimit(), { heap, hasCatalogs });
}

function ownLimit(): number {
  const constrained = process.constrainedMemory();
  return Math.min(constrained > 0 ? constrained : Infinity, totalmem()) / 1024 / 1024;
}

/** All parts of the sidecar together, where there is so much. */
export const maxSidecar = 2048;
/** Its event loop keeps no bodies, which go to threads as bytes, and writes one answer after the other. */
const sidecarHeap = 192;
/** Connections at a time, each with a short question that is not counted among the bodies. */
export const sidecarConnections = 256;
const connectionsOfSidecar = Math.ceil((sidecarConnections * (170 + 64) + waiting) / 1024);
/** A thread for questions: a catalog of 64 MiB is judged with the most, definitions with the least. */
const leastQuestion = 256;
const maxQuestion = 1024;
/** Bytes of it that a value takes while it is read, judged and answered. */
const bytesOfValue = 200;

export interface SidecarPlan {
  readonly threads: number;
  readonly heap: number;
  readonly maxValues: number;
}

/** MiB of all parts of a sidecar; a body is there as bytes and, while it is read, as text in its thread. */
export function sumSidecar(
  { threads, heap }: Pick<SidecarPlan, 'threads' | 'heap'>,
  bodies: number,
): number {
  const parts = program + sidecarHeap + connectionsOfSidecar + bodies;
  const beside = parts + (quickThreadHeap + threadOverhead);
  return beside + threads * (heap + threadOverhead);
}

/** @param bodies MiB that all bodies may hold together */
export function planSidecar(bodies: number, limit = ownLimit()): SidecarPlan {
  const left = Math.min(limit, maxSidecar) - sumSidecar({ threads: 0, heap: 0 }, bodies);
  const most = Math.max(1, Math.min(4, availableParallelism() - 1));
  const threads = Math.max(
    1,
    Math.min(most, Math.floor(left / (maxQuestion / 2 + threadOverhead))),
  );
  const share = Math.floor(left / threads) - threadOverhead;
  const heap = Math.max(leastQuestion, Math.min(maxQuestion, share));
  return { threads, heap, maxValues: Math.floor((heap * 1024 * 1024) / bytesOfValue) };
}
