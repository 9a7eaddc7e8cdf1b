/**
 * Consumers of a definition, and the parts of it that an update takes away from them: versions that
 * ClusterServiceVersions require, and subresources that roles grant and autoscalers use. An update
 * that takes none of these away causes no lookup.
 */
import {
  consumerOf,
  type NeededDefinition,
  consumerName,
  neededDefinition,
  escalateForSharedOwners,
} from '../../olm/index.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import {
  objectPages,
  readPage,
  ClusterError,
  formatResource,
  type ResourceName,
  type OlmState,
} from '../../cluster/index.js';
import { Turns } from './turns.js';
import type { AssessContext, Reviewer } from './reviewer.js';
import {
  type Consumer,
  type ConsumerNeed,
  judgeConsumers,
  type Losses,
  lossesOf,
  preferred,
  servedVersionRemoved,
} from '../../upgrade/index.js';
import type { Finding } from '../../rule/index.js';
import { objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import { append } from '../../text/long-lists.js';
import { readSides } from '../../checks/index.js';
import { boundFindings, maxFindings } from './bound-findings.js';
import { readKinds } from './visible-state.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';

// Autoscalers of the objects of a definition: listed while it is reviewed, and not followed.

const autoscalers = {
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

interface FoundAutoscalers {
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

// How answers name those who rely on a definition.

/** An answer names no more of one kind that need the same. */
const maxNamed = 100;
/** In so many namespaces a requester without the right in all of them is asked about. */
const maxAsked = 20;

/** Whether an answer may name who relies on the definition, among the objects of a resource. */
export async function mayName(
  { standing, mayRead }: AssessContext,
  resource: ResourceName,
  namespace?: string,
): Promise<boolean> {
  const { namesWithheld, isProven } = await standing();
  if (namesWithheld !== undefined) return false;
  const { may } = await mayRead(resource, namespace);
  return may === 'unknown' ? isProven : may;
}

/** Each consumer once. How many there are is shown only to who may list them all. */
async function nameConsumers(
  objects: readonly JsonObject[],
  kind: string,
  resource: ResourceName,
  context: AssessContext,
  most: number = maxNamed,
): Promise<string[]> {
  if (objects.length === 0) return [];
  const isEachNamed = await mayName(context, resource);
  const asked = new Map<string, Promise<boolean>>();
  const mayNameIn = (namespace: string): Promise<boolean> => {
    if (isEachNamed) return Promise.resolve(true);
    if (namespace === '') return Promise.resolve(false);
    const known = asked.get(namespace);
    if (known !== undefined) return known;
    if (asked.size >= maxAsked) return Promise.resolve(false);
    const asking = mayName(context, resource, namespace);
    asked.set(namespace, asking);
    return asking;
  };
  const unnamed = `a ${kind} that you may not list`;
  const names = new Set<string>();
  for (const object of objects.slice(0, most)) {
    names.add((await mayNameIn(metaOf(object).namespace)) ? consumerName(object) : unnamed);
  }
  const more = objects.length - most;
  if (more > 0) names.add(isEachNamed ? `each of ${more} more ${kind}s` : unnamed);
  return [...names];
}

export interface ConsumerVerdicts {
  readonly findings: readonly Finding[];
  /** Parts that could not be looked up, a sentence each. */
  readonly unchecked: readonly string[];
}

export const nothingFound: ConsumerVerdicts = { findings: [], unchecked: [] };

const rbac = 'rbac.authorization.k8s.io';
const roleKinds = [
  { kind: 'ClusterRole', resource: { group: rbac, resource: 'clusterroles' } },
  { kind: 'Role', resource: { group: rbac, resource: 'roles' } },
] as const;

/** The judge of all reviews that change definitions: of an update itself, and of plans that bring one. */
export class DefinitionConsumers {
  private readonly autoscalers = new Autoscalers();

  constructor(private readonly state: OlmState) {}

  async judge(
    update: { readonly old: JsonObject; readonly next: JsonObject },
    context: AssessContext,
  ): Promise<ConsumerVerdicts> {
    const losses = lossesOf(update.old, update.next);
    const isAsked = losses.versions.length > 0 || losses.subresources.length > 0 || losses.scaling;
    const sides = isAsked ? readSides(update) : undefined;
    if (sides === undefined) return nothingFound;
    const definition = neededDefinition(sides.old);
    const { withheld } = await context.standing();
    const found = await Promise.all([
      this.ofCsvs(definition, losses, withheld, context),
      this.ofAutoscalers(definition, losses, withheld, context),
      // Last, for rights only warn.
      this.ofRoles(definition, losses, withheld, context),
    ]);
    const findings: Finding[] = [];
    for (const consumer of found.flatMap((each) => each.consumers)) {
      if (findings.length > maxFindings) break;
      append(findings, judgeConsumers(sides.old, sides.next, [consumer]));
    }
    return {
      findings: boundFindings(findings),
      unchecked: found.flatMap((each) => each.unchecked),
    };
  }

  private async ofCsvs(
    { name }: NeededDefinition,
    { versions }: Losses,
    withheld: string | undefined,
    context: AssessContext,
  ): Promise<Found> {
    if (versions.length === 0) return none;
    const kind = 'ClusterServiceVersion';
    const unseen = withheld ?? this.state.unknown(kind);
    if (unseen !== undefined) {
      return {
        consumers: [],
        unchecked: [`whether several ${kind}s own it is not known: ${unseen}`],
      };
    }
    const consumers: Consumer[] = [];
    for (const version of versions) {
      const csvs = this.state.consumers.csvsRequiring(name, version);
      const resource = readKinds[kind];
      const most = Math.max(0, maxNamed - consumers.length);
      append(consumers, await named(csvs, { kind, resource }, { version }, context, most));
    }
    return { consumers, unchecked: [] };
  }

  private async ofRoles(
    { group, plural }: NeededDefinition,
    { subresources }: Losses,
    withheld: string | undefined,
    context: AssessContext,
  ): Promise<Found> {
    const consumers: Consumer[] = [];
    const unchecked: string[] = [];
    for (const subresource of subresources) {
      const resource = `${plural}/${subresource}`;
      const isOfGroup = (role: JsonObject): boolean =>
        objectsAt(role, 'rules').some(
          (rule) =>
            textsAt(rule, 'apiGroups').includes(group) &&
            textsAt(rule, 'resources').includes(resource),
        );
      const roles =
        withheld === undefined
          ? this.state.consumers.rolesGranting(resource).filter(isOfGroup)
          : [];
      for (const each of roleKinds) {
        const unseen = withheld ?? this.state.unknown(each.kind);
        if (unseen !== undefined) {
          unchecked.push(`whether ${each.kind}s name ${resource} is not known: ${unseen}`);
          continue;
        }
        const ofKind = roles.filter((role) => textAt(role, 'kind') === each.kind);
        for (const one of await named(ofKind, each, { subresource }, context)) {
          consumers.push({ ...one, by: 'rights' });
        }
      }
    }
    return { consumers, unchecked };
  }

  private async ofAutoscalers(
    definition: NeededDefinition,
    { scaling }: Losses,
    withheld: string | undefined,
    context: AssessContext,
  ): Promise<Found> {
    if (!scaling) return none;
    const { objects, unseen } =
      withheld === undefined
        ? await this.autoscalers.find(definition, context)
        : { objects: [], unseen: withheld };
    const need = { version: preferred, subresource: 'scale' } as const;
    return {
      consumers: await named(
        objects,
        { kind: autoscalers.kind, resource: autoscalers },
        need,
        context,
      ),
      unchecked:
        unseen === undefined
          ? []
          : [`whether ${autoscalers.kind}s use its scale subresource is not known: ${unseen}`],
    };
  }
}

interface Found {
  readonly consumers: readonly Consumer[];
  readonly unchecked: readonly string[];
}

const none: Found = { consumers: [], unchecked: [] };

/** All that need the same, under the names that the requester may read. */
async function named(
  objects: readonly JsonObject[],
  { kind, resource }: { readonly kind: string; readonly resource: ResourceName },
  need: ConsumerNeed,
  context: AssessContext,
  most?: number,
): Promise<Consumer[]> {
  const names = await nameConsumers(objects, kind, resource, context, most);
  return names.map((name) => ({ name, needs: [need] }));
}

/** Reads who owns and who needs it only where the update takes something away; what it cannot see it names. */
export function withConsumers(
  inner: Reviewer,
  state: OlmState,
  consumers: DefinitionConsumers,
): Reviewer {
  return {
    ...inner,
    async assess(request, context) {
      const [assessment, lost] = await Promise.all([
        inner.assess(request, context),
        lostBy(request, consumers, context),
      ]);
      if (assessment === undefined) return assessment;
      const isVersionGone = assessment.findings.some(
        ({ rule }) => rule === servedVersionRemoved.id,
      );
      const { withheld } = isVersionGone ? await context.standing() : {};
      const isKnown =
        withheld === undefined && state.unknown('ClusterServiceVersion') === undefined;
      const findings = isKnown
        ? escalateForSharedOwners(assessment.findings, () =>
            state.view.csvsOwningCrd(subjectName(request)),
          )
        : assessment.findings;
      return {
        ...assessment,
        findings: [...findings, ...lost.findings],
        unchecked: [...(assessment.unchecked ?? []), ...lost.unchecked],
      };
    },
  };
}

function lostBy(
  { operation, oldObject: old, object: next }: AdmissionRequest,
  consumers: DefinitionConsumers,
  context: AssessContext,
): Promise<ConsumerVerdicts> {
  if (operation !== 'UPDATE' || !old || !next) return Promise.resolve(nothingFound);
  return consumers.judge({ old, next }, context);
}
