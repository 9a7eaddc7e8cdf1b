/**
 * Who owns and who requires the definition under review: several operators depend on each of its served
 * versions.
 */
import type { ResourceName } from '../facts/cluster/view.js';
import type { OlmState } from '../facts/olm-state/olm-state.js';
import { InvalidInputError } from '../../text/documents/index.js';
import {
  type Consumer,
  judgeConsumers,
  readCustomResourceDefinition,
  servedVersionRemoved,
} from '../../upgrade/index.js';
import {
  consumerName,
  consumerOf,
  escalateForSharedOwners,
  neededDefinition,
  type Owner,
} from '../../olm/index.js';
import type { Finding } from '../../rule/index.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { boundFindings } from './bound-findings.js';
import type { AssessContext, Reviewer } from './reviewer.js';
import { readKinds } from './visible-state.js';

/** Reads who owns and requires it only where a version of it goes; what it cannot see it names. */
export function withSharedOwners(inner: Reviewer, state: OlmState): Reviewer {
  return {
    ...inner,
    async assess(request, context) {
      const assessment = await inner.assess(request, context);
      const isAsked = assessment?.findings.some(({ rule }) => rule === servedVersionRemoved.id);
      if (assessment === undefined || isAsked !== true) return assessment;
      const { withheld } = await context.standing();
      const unseen = withheld ?? state.unknown('ClusterServiceVersion');
      if (unseen !== undefined) {
        const sentence = `whether several ClusterServiceVersions own it is not known: ${unseen}`;
        return { ...assessment, unchecked: [...(assessment.unchecked ?? []), sentence] };
      }
      const owners = (): readonly Owner[] => state.view.csvsOwningCrd(subjectName(request));
      const findings = escalateForSharedOwners(assessment.findings, owners);
      return {
        ...assessment,
        findings: [...findings, ...(await required(request, state, context))],
      };
    },
  };
}

/** Of so many namespaces it is asked whether the requester may know who is there. */
const maxAsked = 20;
const unnamed = 'a ClusterServiceVersion that you may not list';

/** What ClusterServiceVersions that require the definition lose. */
async function required(
  { object, oldObject }: AdmissionRequest,
  state: OlmState,
  context: AssessContext,
): Promise<readonly Finding[]> {
  try {
    const [old, next] = [oldObject, object].map((each) =>
      readCustomResourceDefinition(each ?? undefined),
    );
    if (old === undefined || next === undefined) return [];
    const definition = neededDefinition(old);
    const consumers: Consumer[] = [];
    const mayName = namesOf(context);
    for (const { object: csv, namespace } of state.view.csvs()) {
      const consumer = consumerOf(csv, definition);
      if (consumer === undefined) continue;
      const name = (await mayName(namespace)) ? consumerName(csv) : unnamed;
      consumers.push({ ...consumer, name });
    }
    const findings = judgeConsumers(old, next, consumers).map(({ finding }) => finding);
    // Those that are not named read alike.
    return boundFindings([...new Map(findings.map((each) => [each.message, each])).values()]);
  } catch (error) {
    // Whoever compares them has said so.
    if (error instanceof InvalidInputError) return [];
    throw error;
  }
}

function namesOf(context: AssessContext): (namespace: string) => Promise<boolean> {
  const asked = new Map<string, Promise<boolean>>();
  return (namespace) => {
    const known =
      asked.get(namespace) ??
      (asked.size < maxAsked
        ? mayName(context, readKinds.ClusterServiceVersion, namespace)
        : undefined);
    if (known === undefined) return Promise.resolve(false);
    asked.set(namespace, known);
    return known;
  };
}

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
