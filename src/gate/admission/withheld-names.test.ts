/** What the example of every rule about OLM's objects is told as, where names are withheld. */
import { expect } from 'chai';
import { exampleDocuments } from '../../rule/example-catalog.js';
import { isObject, metaOf, type JsonObject } from '../../text/documents/index.js';
import { lookedUpResources } from '../../cluster/olm-state/kinds.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { olmRules } from '../../olm/index.js';
import type { Finding } from '../../rule/index.js';
import { defaultPolicy } from '../../policy/policy.js';
import { judgeOlmObject } from '../../checks/cluster-scan/olm-object.js';
import type { AdmissionRequest } from './admission-review.js';
import { olmReviewers } from './olm-objects.js';
import { review, type Reviewed } from './review.js';
import { judgeHere } from './testing/judge-here.js';

const versions: Readonly<Record<string, string>> = {
  OperatorGroup: 'operators.coreos.com/v1',
  ClusterExtension: 'olm.operatorframework.io/v1',
  ClusterVersion: 'config.openshift.io/v1',
  CustomResourceDefinition: 'apiextensions.k8s.io/v1',
};

const withApiVersion = (object: JsonObject): JsonObject => {
  const kind = object['kind'] as string;
  const { group = '' } =
    Object.entries(lookedUpResources).find(([name]) => name === kind)?.[1] ?? {};
  const known = group === '' ? 'v1' : `${group}/v1`;
  const isLookedUp = kind in lookedUpResources;
  const version = versions[kind] ?? (isLookedUp ? known : 'operators.coreos.com/v1alpha1');
  return { apiVersion: version, ...object };
};

/** A creation of what a rule's example proposes, in the state that the example has. */
interface Creation {
  readonly state: FolderState;
  readonly object: JsonObject;
  readonly others: readonly JsonObject[];
}

/** So that the state of no example is without a kind that rules ask for. */
const otherKinds = [{ kind: 'Namespace', metadata: { name: 'elsewhere' } }];

function creationOf({ example }: (typeof olmRules)[number]): Creation | undefined {
  const documents = exampleDocuments(example.before ?? '').filter(isObject);
  if (documents.some((each) => 'schema' in each)) return undefined;
  const [proposed] = exampleDocuments(example.after).filter(isObject);
  if (proposed === undefined) return undefined;
  const others = [...documents, ...otherKinds].map(withApiVersion);
  const { name, namespace } = metaOf(proposed);
  const isStored = others.some(
    (each) =>
      each['kind'] === proposed['kind'] &&
      metaOf(each).name === name &&
      metaOf(each).namespace === namespace,
  );
  if (isStored) return undefined;
  return { state: FolderState.of(others), object: withApiVersion(proposed), others };
}

function create(
  rule: (typeof olmRules)[number],
  { state, object }: Creation,
  caller: 'api-server' | 'unverified',
): Promise<Reviewed> {
  const kind = object['kind'] as string;
  const [group = ''] = (object['apiVersion'] as string).split('/');
  const resource = `${kind.toLowerCase()}s`;
  const { name, namespace } = metaOf(object);
  const request: AdmissionRequest = {
    ...{
      uid: '1',
      kind: { group, version: 'v1', kind },
      resource: { group, version: 'v1', resource },
    },
    ...{ name, operation: 'CREATE', object, oldObject: null },
    ...(namespace === '' ? {} : { namespace }),
    userInfo: { username: 'alice' },
  };
  return review(request, olmReviewers(state), {
    policy: { ...defaultPolicy, modes: new Map([[rule.id, 'deny' as const]]) },
    view: state.cluster,
    ...{ judge: judgeHere, caller, now: new Date(0) },
  });
}

const toldOf = ({ response }: Reviewed): string =>
  [response.status?.message ?? '', ...(response.warnings ?? [])].join('\n');

describe('a creation that nobody vouches for', () => {
  const creations = olmRules.flatMap((rule) => {
    const creation = rule.requests.includes('CREATE') ? creationOf(rule) : undefined;
    return creation === undefined ? [] : [{ rule, creation }];
  });

  it('is tried with most of the rules', () => {
    expect(creations.length).to.be.greaterThan(30);
  });

  for (const { rule, creation } of creations) {
    it(`is told what ${rule.id} finds as a fact, or which check it is`, async () => {
      const { state, object, others } = creation;
      const [proven, untold] = await Promise.all([
        create(rule, creation, 'api-server'),
        create(rule, creation, 'unverified'),
      ]);
      const found = (reviewed: Reviewed): readonly Finding[] =>
        reviewed.decided.map(({ finding }) => finding).filter((each) => each.rule === rule.id);
      expect(found(proven), toldOf(proven)).not.to.deep.equal([]);
      expect(untold.decision).to.equal(proven.decision);
      const { asked } = await judgeOlmObject(
        state,
        { kind: rule.subject, request: 'CREATE', object, oldObject: null },
        { policy: defaultPolicy, purpose: 'review', rule: rule.id },
      );
      const isOwn = asked.size === 0;
      for (const [index, { message }] of found(untold).entries()) {
        if (message === found(proven)[index]?.message) continue;
        expect(isOwn, 'only the own object was looked at').to.equal(false);
        expect(message).to.match(
          /^(?:an?|its|the|something|another|OLM) [^.]+\. .*No other object is named: nothing shows that the review came from an API server; see the others, if you may list them: kubectl get [a-z,.0-9]+ (?:--all-namespaces|--namespace=[a-z-]+)(?: --output=custom-columns=\S+)?$/,
        );
        // The first line is a whole sentence about the object.
        const [headline = ''] = toldOf(untold).split('\n');
        if (untold.decision === 'denied') {
          expect(headline)
            .to.include(`: ${rule.withoutNames ?? ''}`)
            .and.not.include('…');
          expect(rule.withoutNames ?? '').to.not.equal('');
          expect(toldOf(untold)).to.match(/^To fix: (?!see the others).+; see the others/m);
        }
        // The rule's sample of OLM's words is about other objects.
        if (rule.otherwise !== undefined) expect(message).not.to.include(rule.otherwise);
      }
      const shown = JSON.stringify(object);
      for (const { name } of others.map((each) => metaOf(each))) {
        if (!shown.includes(name)) expect(toldOf(untold)).not.to.include(name);
      }
    });
  }
});
