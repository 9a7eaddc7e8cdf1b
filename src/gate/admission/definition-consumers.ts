/**
 * Consumers of a definition, and the parts of it that an update takes away from them: versions that
 * ClusterServiceVersions require, and subresources that roles grant and autoscalers use. An update
 * that takes none of these away causes no lookup.
 */
import { neededDefinition, type NeededDefinition } from '../../olm/index.js';
import {
  type Consumer,
  type ConsumerNeed,
  judgeConsumers,
  type Losses,
  lossesOf,
  preferred,
} from '../../upgrade/index.js';
import type { Finding } from '../../rule/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import { append } from '../../text/long-lists.js';
import type { ResourceName, OlmState } from '../../cluster/index.js';
import { readSides } from '../../checks/index.js';
import { Autoscalers, autoscalers } from './autoscalers.js';
import { boundFindings, maxFindings } from './bound-findings.js';
import { maxNamed, nameConsumers } from './consumer-names.js';
import type { AssessContext } from './reviewer.js';
import { readKinds } from './visible-state.js';

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
