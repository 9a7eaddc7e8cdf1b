/**
 * Takes objects of each served version to every other one and back, as API servers have a converter
 * do it, and tells what did not come back. The converter is a black box.
 */
import { BadRequest, compileValidator, type ObjectValidator } from '../../kubernetes/index.js';
import {
  readCustomResourceDefinition,
  smallerOnes,
  keyOf,
  type Fault,
  sampleObjects,
} from '../../upgrade/index.js';
import { sameJson, type JsonObject } from '../../text/documents/index.js';
import { differences, type Difference } from './compare.js';
import { Conversation, type Side } from './conversation.js';
import type { Convert, Judged } from './review.js';
import { append } from '../../text/long-lists.js';

export interface RoundTripOptions {
  /** Made-up objects of each version, at most. */
  readonly samples: number;
  /** Objects that are stored somewhere, by the version under which they were read. */
  readonly stored?: ReadonlyMap<string, readonly JsonObject[]>;
  /** An answer that takes longer is reported; a second where it is left out. */
  readonly slowMilliseconds?: number;
  readonly now?: () => number;
}

export interface RoundTripResult {
  readonly faults: readonly Fault[];
  readonly pairs: readonly {
    readonly from: string;
    readonly to: string;
    readonly objects: number;
  }[];
  readonly requests: number;
  /** Time that the converter took for all of them, and for its slowest answer. */
  readonly converterMilliseconds: number;
  readonly slowestMilliseconds: number;
}

const batchSize = 100;
/** Objects that are also asked for one by one. */
const singles = 12;
/** Reviews in which a batch that fails is taken apart. */
const maxParts = 60;
/** Attempts to find a smaller object for each fault, and the faults for which that is done. */
const triesForEach = 60;
const maxShrunk = 12;

/**
 * @throws InvalidInputError for a definition that cannot be read
 */
export async function roundTrip(
  definition: JsonObject,
  convert: Convert,
  {
    samples,
    stored = new Map(),
    slowMilliseconds = 1000,
    now = () => performance.now(),
  }: RoundTripOptions,
): Promise<RoundTripResult> {
  const sides = sidesOf(definition, ({ served }) => served);
  const talk = new Conversation(convert, { slowMilliseconds }, now);
  const pairs: { from: string; to: string; objects: number }[] = [];
  const converted: Pair[] = [];
  for (const from of sides) {
    const made = sampleObjects(from.validator, samples);
    const objects = [...made, ...asRead(stored.get(from.version) ?? [], from.validator)];
    for (const to of sides) {
      if (from === to || talk.isGone) continue;
      pairs.push({ from: from.version, to: to.version, objects: objects.length });
      if (objects.length === 0) {
        talk.note({ clause: 'unasked', from: from.version, to: to.version, count: 1 });
        continue;
      }
      const pair = new Pair(talk, from, to);
      converted.push(pair);
      await pair.run(objects);
    }
    if (sides.length > 1) await toOwnVersion(talk, from, objects);
  }
  // A converter may go wrong with time.
  for (const pair of converted) await pair.onceMore();
  return {
    faults: withoutLesser(talk.found),
    pairs,
    requests: talk.requests,
    converterMilliseconds: talk.milliseconds,
    slowestMilliseconds: talk.slowest,
  };
}

/** A field that is lost is lost when it is empty too. */
function withoutLesser(faults: readonly Fault[]): Fault[] {
  const keys = new Set(faults.map(keyOf));
  return faults.filter(
    (fault) =>
      fault.clause !== 'emptied' ||
      !(['lost', 'added'] as const).some((clause) => keys.has(keyOf({ ...fault, clause }))),
  );
}

/** The served versions, and those that objects are stored in. @throws InvalidInputError */
export function convertedSides(definition: JsonObject): Side[] {
  const { storedVersions } = readCustomResourceDefinition(definition);
  return sidesOf(
    definition,
    ({ name, served, storage }) => served || storage || storedVersions.includes(name),
  );
}

function sidesOf(
  definition: JsonObject,
  isWanted: (
    version: ReturnType<typeof readCustomResourceDefinition>['versions'][number],
  ) => boolean,
): Side[] {
  return readCustomResourceDefinition(definition)
    .versions.filter(isWanted)
    .map(({ name }) => ({ version: name, validator: compileValidator(definition, name) }));
}

/** As an API server hands them on; what cannot be decoded is left out. */
function asRead(objects: readonly JsonObject[], validator: ObjectValidator): JsonObject[] {
  return objects.flatMap((object) => {
    try {
      return [validator.pruneAndDefault(object)];
    } catch (error) {
      if (error instanceof BadRequest) return [];
      throw error;
    }
  });
}

interface Trip {
  readonly object: JsonObject;
  readonly there?: JsonObject;
  readonly back?: JsonObject;
}

class Pair {
  private trips: readonly Trip[] = [];

  constructor(
    private readonly talk: Conversation,
    private readonly from: Side,
    private readonly to: Side,
  ) {}

  async run(objects: readonly JsonObject[]): Promise<void> {
    const trips: Trip[] = [];
    for (let at = 0; at < objects.length; at += batchSize) {
      const batch = objects.slice(at, at + batchSize);
      const there = await this.convertAll(batch, this.from, this.to);
      // Nothing came of a whole batch: the next one is converted by the same code.
      if (there.every((each) => each === undefined)) break;
      append(trips, await this.back(batch, there));
    }
    this.trips = trips;
    await this.again(trips);
    await this.oneByOne(trips);
    await this.shrink();
  }

  /** The way back, and what it has lost. */
  private async back(
    batch: readonly JsonObject[],
    there: readonly (JsonObject | undefined)[],
  ): Promise<Trip[]> {
    const arrived = there.flatMap((each, index) =>
      each === undefined ? [] : [{ object: batch[index] as JsonObject, there: each }],
    );
    const sent = arrived.map((each) => each.there);
    const came = await this.convertAll(sent, this.to, this.from);
    return arrived.map((trip, index) => {
      const arrivedBack = came[index];
      if (arrivedBack === undefined) return trip;
      // A client that writes it again sends it through the defaults of this version first.
      const back = withDefaults(arrivedBack, this.from.validator);
      for (const difference of this.differences(trip.object, back)) {
        this.talk.note(this.faultOf(difference, trip.object));
      }
      return { ...trip, back };
    });
  }

  private differences(object: JsonObject, back: JsonObject): Difference[] {
    const { validator } = this.from;
    return distinctOnes(differences(object, back, validator.schema));
  }

  private faultOf({ kind, path }: Difference, object: JsonObject): Fault {
    return { clause: kind, path, object, count: 1, from: this.from.version, to: this.to.version };
  }

  /** Converts the objects that have come back a second time: nothing moves any more. */
  private async again(trips: readonly Trip[]): Promise<void> {
    const full = trips.filter((trip) => trip.back !== undefined).slice(0, batchSize);
    if (full.length === 0) return;
    const backs = full.map(({ back }) => back as JsonObject);
    const there = await this.convertAll(backs, this.from, this.to);
    this.compareWith(full, there, 'unstable');
  }

  /** Sends the very first objects again, at the very last. */
  async onceMore(): Promise<void> {
    const first = this.trips.slice(0, batchSize);
    const sent = first.map(({ object }) => object);
    this.compareWith(first, await this.convertAll(sent, this.from, this.to), 'unstable');
  }

  /** The same objects by themselves: in a batch each is converted as it is alone. */
  private async oneByOne(trips: readonly Trip[]): Promise<void> {
    const step = Math.max(1, Math.floor(trips.length / singles));
    const chosen = trips.filter((_, index) => index % step === 0).slice(0, singles);
    const alone: (JsonObject | undefined)[] = [];
    for (const { object } of chosen) {
      const judged = await this.talk.ask([object], this.from, this.to);
      append(alone, this.pruned(judged, this.to));
    }
    this.compareWith(chosen, alone, 'batch');
  }

  private compareWith(
    trips: readonly Trip[],
    made: readonly (JsonObject | undefined)[],
    clause: 'unstable' | 'batch',
  ): void {
    for (const [index, { object, there }] of trips.entries()) {
      const now = made[index];
      if (now === undefined || there === undefined) continue;
      for (const { kind, path } of distinctOnes(
        differences(there, now, this.to.validator.schema),
      )) {
        const fault = this.faultOf({ kind: 'changed', path }, object);
        this.talk.note({ ...fault, clause, detail: kind === 'emptied' ? 'changed' : kind });
      }
    }
  }

  /** Each object, or undefined for those that did not arrive; a batch that fails is taken apart. */
  private async convertAll(
    objects: readonly JsonObject[],
    from: Side,
    to: Side,
  ): Promise<(JsonObject | undefined)[]> {
    let parts = 0;
    const convert = async (
      part: readonly JsonObject[],
      isFirst: boolean,
    ): Promise<(JsonObject | undefined)[]> => {
      if (part.length === 0) return [];
      const judged = await this.talk.ask(part, from, to);
      parts++;
      if (!judged.isRefused || part.length === 1) {
        this.noteAll(judged, part, from);
        return this.pruned(judged, to);
      }
      // Faults that only many objects at once show are reported here; others show in the parts as well.
      for (const fault of judged.faults) if (ofBatches.has(fault.clause)) this.talk.note(fault);
      if (isFirst && (await this.isAlwaysRefused(part, from, to))) {
        this.noteAll(judged, part, from);
        return part.map(() => undefined);
      }
      if (parts >= maxParts) {
        this.noteAll(judged, part, from);
        return part.map(() => undefined);
      }
      const half = Math.ceil(part.length / 2);
      return [
        ...(await convert(part.slice(0, half), false)),
        ...(await convert(part.slice(half), false)),
      ];
    };
    return convert(objects, true);
  }

  private async isAlwaysRefused(
    part: readonly JsonObject[],
    from: Side,
    to: Side,
  ): Promise<boolean> {
    const step = Math.max(1, Math.floor(part.length / 3));
    for (const index of [0, step, part.length - 1]) {
      const judged = await this.talk.ask([part[index] as JsonObject], from, to);
      if (!judged.isRefused) return false;
      this.noteAll(judged, [part[index] as JsonObject], from);
    }
    return true;
  }

  private noteAll({ faults }: Judged, objects: readonly JsonObject[], from: Side): void {
    const [only] = objects.length === 1 ? objects : [];
    for (const fault of faults) {
      const object = fault.object ?? only;
      // An object that its own version refuses is the fault of the conversion that made it.
      const isRefusedBefore =
        fault.clause === 'refused-by-schema' &&
        object !== undefined &&
        from.validator.validateCreate(object).valid === false;
      if (isRefusedBefore) continue;
      this.talk.note(object === undefined ? fault : { ...fault, object });
    }
  }

  /** As an API server reads it on: without what the version does not declare. */
  private pruned({ converted }: Judged, { validator }: Side): (JsonObject | undefined)[] {
    return converted.map((object) => {
      if (object === undefined) return undefined;
      try {
        return validator.prune(object);
      } catch (error) {
        if (error instanceof BadRequest) return undefined;
        throw error;
      }
    });
  }

  /** The smallest object for each fault of this pair that an object shows by itself. */
  private async shrink(): Promise<void> {
    const mine = this.talk.found.filter(
      ({ from, to, object, clause }) =>
        object !== undefined &&
        !unshrinkable.has(clause) &&
        ((from === this.from.version && to === this.to.version) ||
          (!ofTrips.has(clause) && from === this.to.version && to === this.from.version)),
    );
    for (const fault of mine.slice(0, maxShrunk)) {
      if (fault.object === undefined) continue;
      const [start, end] =
        fault.from === this.from.version ? [this.from, this.to] : [this.to, this.from];
      const tries = smallerOnes(fault.object, triesForEach);
      let step = tries.next();
      while (step.done !== true) {
        const holds =
          start.validator.validateCreate(step.value).valid === true &&
          (await this.shows(step.value, fault, start, end));
        step = tries.next(holds);
      }
      this.talk.replace(fault, step.value);
    }
  }

  private async shows(object: JsonObject, fault: Fault, from: Side, to: Side): Promise<boolean> {
    const isSame = ({ clause, path }: Pick<Fault, 'clause' | 'path'>): boolean =>
      clause === fault.clause && path === fault.path;
    const read = withDefaults(object, from.validator);
    const there = await this.talk.once([read], from, to);
    if (!ofTrips.has(fault.clause)) return there.faults.some(isSame);
    const [arrived] = this.pruned(there, to);
    if (arrived === undefined) return false;
    const [back] = this.pruned(await this.talk.once([arrived], to, from), from);
    if (back === undefined) return false;
    return this.differences(read, withDefaults(back, from.validator)).some(({ kind, path }) =>
      isSame({ clause: kind, path }),
    );
  }
}

const ofTrips: ReadonlySet<string> = new Set(['lost', 'changed', 'added', 'emptied']);
const ofBatches: ReadonlySet<string> = new Set(['wrong-count', 'wrong-order']);
/** Faults that one object does not show for certain, or not by itself. */
const unshrinkable: ReadonlySet<string> = new Set([
  'intermittent',
  'slow',
  'late',
  'unstable',
  'batch',
  'wrong-order',
  'wrong-count',
  'unreachable',
]);

/** API servers never ask for the version that an object has, and a converter may refuse that. */
async function toOwnVersion(
  talk: Conversation,
  side: Side,
  objects: readonly JsonObject[],
): Promise<void> {
  const few = objects.slice(0, singles);
  if (few.length === 0) return;
  const { converted } = await talk.once(few, side, side);
  for (const [index, object] of few.entries()) {
    const made = converted[index];
    if (made === undefined || sameJson(made, object)) continue;
    const now = withDefaults(made, side.validator);
    for (const { path } of distinctOnes(differences(object, now, side.validator.schema))) {
      const { version } = side;
      talk.note({ clause: 'own-version', from: version, to: version, path, object, count: 1 });
    }
  }
}

function withDefaults(object: JsonObject, validator: ObjectValidator): JsonObject {
  try {
    return validator.pruneAndDefault(object);
  } catch (error) {
    if (error instanceof BadRequest) return object;
    throw error;
  }
}

/** Many items of a list differ at the same path of the schema. */
function distinctOnes(found: readonly Difference[]): Difference[] {
  return [...new Map(found.map((each) => [`${each.kind} ${each.path}`, each])).values()];
}
