/**
 * OpenShift's CompatibilityRequirements of the definition under review. Their own webhook says the same;
 * the gate says it also where that is not asked, with what the change does beside it.
 */
import { ClusterError } from '../facts/cluster/view.js';
import type { OlmState } from '../facts/olm-state/olm-state.js';
import { consumerName } from '../../olm/index.js';
import { referenceTo, type Finding } from '../../rule/index.js';
import { metaOf, own, type JsonObject } from '../../text/documents/index.js';
import { objectAt, textAt } from '../../text/documents/fields.js';
import { append } from '../../text/long-lists.js';
import { compatibilityRequirementUnmet } from '../../upgrade/index.js';
import { subjectName, type AdmissionRequest } from './admission-review.js';
import { shortName } from './bounds.js';
import { askThread } from './conversion.js';
import { UnfinishedError, type Assessment, type AssessContext, type Reviewer } from './reviewer.js';
import { mayName } from './shared-definition.js';

const kind = 'CompatibilityRequirement';
const resource = { group: 'apiextensions.openshift.io', resource: 'compatibilityrequirements' };
const unnamed = `a ${kind} that you may not list`;

/** Each may hold a definition as large as any. */
const maxJudged = 10;

/** What they ask for, and what could not be asked, a sentence each. */
interface Asked {
  readonly findings: readonly Finding[];
  readonly unchecked: readonly string[];
}

const nothing: Asked = { findings: [], unchecked: [] };

/** Not held against the old definition: as in OpenShift, one that lacks something already is no excuse. */
export function withCompatibilityRequirements(inner: Reviewer, state: OlmState): Reviewer {
  return {
    ...inner,
    async assess(request, context) {
      const [assessment, asked] = await Promise.all([
        inner.assess(request, context),
        askRequirements(request, state, context),
      ]);
      if (asked.findings.length === 0 && asked.unchecked.length === 0) return assessment;
      const judged: Assessment = assessment ?? {
        ...{ findings: [], previous: () => [], message: () => '' },
        groups: inner.groupsOf(request),
        command: commandFor(request),
      };
      return {
        ...judged,
        ...(asked.findings.length > 0 && { command: commandFor(request) }),
        findings: [...judged.findings, ...asked.findings],
        unchecked: [...(judged.unchecked ?? []), ...asked.unchecked],
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

async function askRequirements(
  request: AdmissionRequest,
  state: OlmState,
  context: AssessContext,
): Promise<Asked> {
  if (request.subResource !== undefined) return nothing;
  const unseen = state.unknown(kind);
  if (unseen === undefined && state.count(kind) === 0) return nothing;
  // Before it is known whether there is one of this definition, which would be told too.
  const why = (await context.standing()).withheld ?? unseen;
  if (why !== undefined) {
    return { findings: [], unchecked: [`whether ${kind}s ask for more is not known: ${why}`] };
  }
  // OpenShift writes the name when it has admitted the requirement, and asks for nothing before.
  const asked = [...state.objects(kind)].filter(
    (each) => textAt(each, 'status', 'crdName') === subjectName(request),
  );
  if (asked.length === 0) return nothing;
  const isNamed = await mayName(context, resource);
  const nameOf = (each: JsonObject): string => (isNamed ? consumerName(each) : unnamed);
  const found =
    request.operation === 'DELETE'
      ? { findings: deleted(request, asked.map(nameOf)), unchecked: [] }
      : await judgeEach(asked, nameOf, isNamed, request, state, context);
  // Those that are not named read alike.
  const findings = [...new Map(found.findings.map((each) => [each.message, each])).values()];
  return { findings, unchecked: [...new Set(found.unchecked)] };
}

/** Whatever their action: OpenShift lets no definition go that one of them asks for. */
function deleted({ oldObject }: AdmissionRequest, names: readonly string[]): Finding[] {
  return names.map((consumer) =>
    compatibilityRequirementUnmet.finding({
      ...{ id: 'deleted', data: { consumer } },
      ...(oldObject && { object: referenceTo(oldObject) }),
    }),
  );
}

async function judgeEach(
  asked: readonly JsonObject[],
  nameOf: (requirement: JsonObject) => string,
  isNamed: boolean,
  request: AdmissionRequest,
  { cluster }: OlmState,
  context: AssessContext,
): Promise<Asked> {
  const judged = asked.filter(
    (each) => objectAt(each, 'spec', 'customResourceDefinitionSchemaValidation') !== undefined,
  );
  const findings: Finding[] = [];
  const unchecked = judged
    .slice(maxJudged)
    .map((each) => `what ${nameOf(each)} asks for was not looked at: there are ${judged.length}`);
  for (const each of judged.slice(0, maxJudged)) {
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
