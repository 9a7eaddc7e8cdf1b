/** One lane for each resource, so that none delays others; unauthenticated clients share one. */
import { headBytes, readReviewHead, type ReviewHead } from '../admission/review-head.js';
import type { Reviewer } from '../admission/reviewer.js';
import type { Caller } from '../admission/disclosure.js';
import type { RequesterPath } from '../admission/fair-queue.js';
import { parsedDefinitions, parsedReviews, sharedBodies } from './memory.js';
import type { Heap, LaneOptions } from './scheduler.js';

/** Resources with more than one share; definitions have the most, because a broken one breaks the most. */
const definitions = 'customresourcedefinitions.apiextensions.k8s.io';
const shares: ReadonlyMap<string, number> = new Map([
  [definitions, 8],
  ['operatorgroups.operators.coreos.com', 2],
]);

/** The lane for resources that have no reviewer, and for bodies that do not name a resource. */
const other = 'other';
/** The lane for clients without the certificate that an API server would show. */
const unauthenticated = 'unauthenticated';

/** A large definition keeps memory until its proof is done: a lane of its own holds up no small one. */
const largeDefinitions = `large ${definitions}`;
const largeBytes = 256 * 1024;

const mebibyte = 1024 * 1024;

interface Lane {
  readonly share: number;
  readonly bodies: BodyBudget;
}

export interface LanesOptions {
  readonly reviewers: readonly Pick<Reviewer, 'group' | 'resource'>[];
  readonly maxBodyBytes: number;
  /** How many reviews are judged at once, shared among the lanes. */
  readonly concurrentReviews: () => number;
}

export class Lanes {
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #shares: number;
  readonly #concurrentReviews: () => number;

  constructor({ reviewers, maxBodyBytes, concurrentReviews }: LanesOptions) {
    const names = [...reviewers.map(nameOf), other, unauthenticated];
    const shareOf = (name: string): number => shares.get(name) ?? 1;
    this.#shares = names.reduce((sum, name) => sum + shareOf(name), 0);
    this.#concurrentReviews = concurrentReviews;
    this.#lanes = new Map(
      names.flatMap((name): [string, Lane][] => {
        const share = shareOf(name);
        const shared = (sharedBodies * mebibyte * share) / this.#shares;
        const large = (limit: number): Lane => ({
          ...{ share, bodies: new BodyBudget(maxBodyBytes + limit, maxBodyBytes) },
        });
        if (name !== definitions) return [[name, large(shared)]];
        const small = new BodyBudget(shared / 2, Math.min(largeBytes, maxBodyBytes));
        return [
          [definitions, { share, bodies: small }],
          [largeDefinitions, large(shared / 2)],
        ];
      }),
    );
  }

  get options(): Readonly<Record<string, LaneOptions>> {
    const heap = (mebibytes: number): Heap => ({ limit: mebibytes * mebibyte, held: 0 });
    const options = (share: number, heap: Heap, ofSlots = share): LaneOptions => ({
      slots: () => Math.max(1, Math.round((this.#concurrentReviews() * ofSlots) / this.#shares)),
      ...{ share, heap },
    });
    const rest = heap(parsedReviews);
    return Object.fromEntries(
      [...this.#lanes].map(([name, { share }]): [string, LaneOptions] => {
        if (name === definitions) return [name, options(share, heap(parsedDefinitions), share / 2)];
        if (name === largeDefinitions)
          return [name, options(share, heap(parsedReviews), share / 2)];
        return [name, options(share, rest)];
      }),
    );
  }

  laneOf(caller: Caller, head: ReviewHead | undefined, bytes: number): string {
    if (caller === 'unauthenticated') return unauthenticated;
    const name = head?.resource === undefined ? other : nameOf(head.resource);
    if (name === definitions && bytes > largeBytes) return largeDefinitions;
    return this.#lanes.has(name) ? name : other;
  }

  get bodyBytes(): number {
    let sum = 0;
    for (const { bodies } of this.#lanes.values()) sum += bodies.limit;
    return sum;
  }

  hold(lane: string, owner: string): Reservation | undefined {
    return this.#lanes.get(lane)?.bodies.hold(owner);
  }
}

/** The lane and the memory of one review, from its first byte to its answer. */
export class Place {
  lane: string = other;
  asker: RequesterPath = [];
  #holder: Reservation | undefined;
  /** Bytes that arrived before the body named its resource. */
  #unclaimed = 0;

  /** @param announced bytes of its body; Infinity where it does not say */
  constructor(
    readonly lanes: Lanes,
    readonly caller: Caller,
    readonly address: string,
    readonly announced: number,
  ) {}

  /** Takes bytes of the body's lane as they arrive; see {@link Reservation.take}. */
  take(bytes: number, head: Buffer): Promise<void> | undefined {
    this.#unclaimed += bytes;
    if (this.#holder === undefined) {
      const named = readReviewHead(head);
      if (named?.resource === undefined && head.length < headBytes) return undefined;
      this.#settle(named);
    }
    const all = this.#unclaimed;
    this.#unclaimed = 0;
    return this.#holder?.take(all);
  }

  done(body: Buffer): void {
    // A body this small has no lane yet; its bytes are not counted.
    if (this.#holder === undefined) this.#settle(readReviewHead(body));
    this.#holder?.done();
  }

  give(): void {
    this.#holder?.give();
  }

  #settle(head: ReviewHead | undefined): void {
    this.lane = this.lanes.laneOf(this.caller, head, this.announced);
    const tenant = head?.namespace ?? head?.name ?? '';
    const user = head?.userInfo?.username ?? '';
    // All users' reviews come from API servers; what others say of a user is not known to be true.
    if (this.caller === 'api-server') this.asker = [user, tenant];
    else if (this.caller === 'unverified') this.asker = [this.address, user, tenant];
    else this.asker = [this.address, tenant];
    this.#holder = this.lanes.hold(this.lane, this.asker[0] ?? '');
  }
}

function nameOf({ group, resource }: { readonly group: string; readonly resource: string }) {
  return group === '' ? resource : `${resource}.${group}`;
}

/** Bytes that bodies may hold together: a body that finds none waits; no owner holds more than is left for others. */

export interface Reservation {
  /** Takes so many bytes more: at once, or when the promise resolves. */
  take(bytes: number): Promise<void> | undefined;
  /** Takes no more: the body is whole. */
  done(): void;
  /** Gives everything back, also what it waits for. */
  give(): void;
}

interface Held {
  readonly owner: string;
  bytes: number;
}

interface Waiting {
  readonly bytes: number;
  readonly resolve: () => void;
}

/** Owners of whom is known when they had the reserve; who has it again and again is no newcomer. */
const maxRemembered = 1000;

export class BodyBudget {
  /** Requests whose bodies are not whole yet, in the order in which they came. */
  readonly #arriving = new Set<Held>();
  readonly #waiting = new Map<Held, Waiting>();
  readonly #ofOwner = new Map<string, number>();
  #bytes = 0;
  /** The request that holds the reserve until its body is whole. */
  #first: Held | undefined;
  /** Owners of those for whom it was, the latest last. */
  readonly #hadReserve = new Set<string>();

  /**
   * @param limit of all together
   * @param reserve of this limit for one at a time: were every one to wait for the others, none would
   *   ever be whole. It goes from owner to owner, and to the body of each that came first.
   */
  constructor(
    readonly limit: number,
    readonly reserve: number,
  ) {}

  /** @param owner who may not hold more than is left for others */
  hold(owner: string): Reservation {
    const held: Held = { owner, bytes: 0 };
    this.#arriving.add(held);
    const leave = (): void => {
      this.#waiting.delete(held);
      this.#arriving.delete(held);
      if (this.#first === held) this.#first = undefined;
    };
    return {
      take: (bytes) => {
        if (this.#mayTake(held, bytes)) {
          this.#add(held, bytes);
          return undefined;
        }
        return new Promise((resolve) => this.#waiting.set(held, { bytes, resolve }));
      },
      done: () => {
        leave();
        this.#serve();
      },
      give: () => {
        leave();
        this.#add(held, -held.bytes);
        this.#serve();
      },
    };
  }

  #serve(): void {
    for (const [held, { bytes, resolve }] of this.#waiting) {
      if (!this.#mayTake(held, bytes)) continue;
      this.#waiting.delete(held);
      this.#add(held, bytes);
      resolve();
    }
  }

  #mayTake(held: Held, bytes: number): boolean {
    const left = this.limit - this.#bytes - bytes;
    this.#first ??= this.#nextInTurn();
    if (held === this.#first) return left >= 0;
    const free = left - this.reserve;
    return free >= 0 && (this.#ofOwner.get(held.owner) ?? 0) + bytes <= free;
  }

  /** Among the bodies that are arriving, the first of the owner who has waited longest for the reserve. */
  #nextInTurn(): Held | undefined {
    const owners = new Map<string, Held>();
    for (const each of this.#arriving) if (!owners.has(each.owner)) owners.set(each.owner, each);
    const isNew = [...owners.keys()].find((each) => !this.#hadReserve.has(each));
    const owner = isNew ?? [...this.#hadReserve].find((each) => owners.has(each));
    if (owner === undefined) return undefined;
    this.#hadReserve.delete(owner);
    this.#hadReserve.add(owner);
    const [longestAgo] = this.#hadReserve;
    if (this.#hadReserve.size > maxRemembered && longestAgo !== undefined) {
      this.#hadReserve.delete(longestAgo);
    }
    return owners.get(owner);
  }

  #add(held: Held, bytes: number): void {
    held.bytes += bytes;
    this.#bytes += bytes;
    const owned = (this.#ofOwner.get(held.owner) ?? 0) + bytes;
    if (owned === 0) this.#ofOwner.delete(held.owner);
    else this.#ofOwner.set(held.owner, owned);
  }
}
