/**
 * Judges a definition by OpenShift's CompatibilityRequirements for it. OpenShift's own webhook gives the
 * same verdict; the gate adds what the change does to objects, and also judges where that webhook is not
 * registered.
 */
import { ClusterError, type OlmState } from '../../cluster/index.js';
import { consumerName } from '../../olm/index.js';
import { referenceTo, type Finding } from '../../rule/index.js';
import { metaOf, own, type JsonObject } from '../../text/documents/index.js';
import { objectAt, textAt } from '../../text/documents/fields.js';
import { append } from '../../text/long-lists.js';
import { compatibilityRequirementUnmet } from '../../upgrade/index.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { boundFindings } from './bound-findings.js';
import { shortName } from './bounds.js';
import { askThread } from './conversion.js';
import { UnfinishedError, type Assessment, type AssessContext, type Reviewer } from './reviewer.js';
import { mayName, nothingFound, type ConsumerVerdicts } from './definition-consumers.js';

const kind = 'CompatibilityRequirement';
const resource = { group: 'apiextensions.openshift.io', resource: 'compatibilityrequirements' };
const unnamed = `a ${kind} that you may not list`;

/** Each may contain a whole definition of any size. */
const maxJudged = 10;

/** As in OpenShift, they count even where the old definition did not meet the requirement either. */
export function withCompatibilityRequirements(inner: Reviewer, state: OlmState): Reviewer {
  return {
    ...inner,
    async assess(request, context) {
      const [assessment, required] = await Promise.all([
        inner.assess(request, context),
        judgeRequirements(request, state, context),
      ]);
      if (required.findings.length === 0 && required.unchecked.length === 0) return assessment;
      const judged: Assessment = assessment ?? {
        findings: [],
        previous: () => [],
        message: () => '',
        groups: inner.groupsOf(request),
        command: commandFor(request),
      };
      return {
        ...judged,
        ...(required.findings.length > 0 && { command: commandFor(request) }),
        findings: [...judged.findings, ...required.findings],
        unchecked: [...(judged.unchecked ?? []), ...required.unchecked],
        message: (denied) => message(judged, denied),
      };
    },
  };
}

function commandFor(request: AdmissionRequest): string {
  return request.operation === 'DELETE'
    ? `kubectl get ${resource.resource}`
    : `olm-guard check crd cluster:${shortName(subjectName(request))} NEW --consumers cluster`;
}

function message(inner: Assessment, denied: readonly Finding[]): string {
  const isOurs = ({ rule }: Finding): boolean => rule === compatibilityRequirementUnmet.id;
  const others = denied.filter((each) => !isOurs(each));
  return [
    ...denied.filter(isOurs).map((each) => each.message),
    ...(others.length === 0 ? [] : [inner.message(others)]),
  ].join('\n');
}

type DefinitionRequest = Pick<
  AdmissionRequest,
  'name' | 'operation' | 'subResource' | 'object' | 'oldObject'
>;

/** Judges a definition by the CompatibilityRequirements that name it. */
export async function judgeRequirements(
  request: DefinitionRequest,
  state: OlmState,
  context: AssessContext,
): Promise<ConsumerVerdicts> {
  if (request.subResource !== undefined) return nothingFound;
  const unseen = state.unknown(kind);
  if (unseen === undefined && state.count(kind) === 0) return nothingFound;
  // Decided before the gate looks whether this definition has a requirement, so that the answer is the
  // same either way.
  const why = (await context.standing()).withheld ?? unseen;
  if (why !== undefined) {
    return { findings: [], unchecked: [`whether ${kind}s ask for more is not known: ${why}`] };
  }
  // OpenShift writes the name once it has admitted the requirement; before that, its webhook ignores it.
  const requirements = [...state.objects(kind)].filter(
    (each) => textAt(each, 'status', 'crdName') === subjectName(request),
  );
  if (requirements.length === 0) return nothingFound;
  const isNamed = await mayName(context, resource);
  const nameOf = (each: JsonObject): string => (isNamed ? consumerName(each) : unnamed);
  const found =
    request.operation === 'DELETE'
      ? {
          findings: boundFindings(findingsOfDeletion(request, requirements.map(nameOf))),
          unchecked: [],
        }
      : await judgeEach(requirements, nameOf, isNamed, request, state, context);
  // Requirements whose names are withheld give equal findings; one is enough.
  const findings = [...new Map(found.findings.map((each) => [each.message, each])).values()];
  return { findings, unchecked: [...new Set(found.unchecked)] };
}

/** OpenShift refuses to delete a definition that has a requirement, whatever the action. */
function findingsOfDeletion({ oldObject }: DefinitionRequest, names: readonly string[]): Finding[] {
  return names.map((consumer) =>
    compatibilityRequirementUnmet.finding({
      id: 'deleted',
      data: { consumer },
      ...(oldObject && { object: referenceTo(oldObject) }),
    }),
  );
}

/** So that no requirement that is added takes the place of one that was there. */
function oldestFirst(requirements: readonly JsonObject[]): JsonObject[] {
  const keyOf = (each: JsonObject): string =>
    `${textAt(each, 'metadata', 'creationTimestamp') ?? ''} ${metaOf(each).name}`;
  return requirements.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

async function judgeEach(
  requirements: readonly JsonObject[],
  nameOf: (requirement: JsonObject) => string,
  isNamed: boolean,
  request: DefinitionRequest,
  { cluster }: OlmState,
  context: AssessContext,
): Promise<ConsumerVerdicts> {
  const judged = requirements.filter(
    (each) => objectAt(each, 'spec', 'customResourceDefinitionSchemaValidation') !== undefined,
  );
  const findings: Finding[] = [];
  const unchecked: string[] = [];
  if (judged.length > maxJudged) {
    unchecked.push(`of ${judged.length} ${kind}s only ${maxJudged} were looked at`);
  }
  for (const each of oldestFirst(judged).slice(0, maxJudged)) {
    const consumer = nameOf(each);
    const fail = (reason: string): void => {
      unchecked.push(`what ${consumer} asks for is not known${isNamed ? `: ${reason}` : ''}`);
    };
    try {
      const whole = await cluster.get(resource, metaOf(each).name);
      if (whole === undefined) continue;
      const requirement = { spec: own(whole, 'spec') ?? {} };
      const question = { requirement, consumer };
      const answer = await askThread('compatibility-requirement', request, context, question);
      append(findings, answer.findings);
    } catch (error) {
      if (!(error instanceof ClusterError) && !(error instanceof UnfinishedError)) throw error;
      fail(error.message);
    }
  }
  return { findings, unchecked };
}
