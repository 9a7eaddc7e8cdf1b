/**
 * Whether calls of the API server come through to the gate: pods, certificate and rights may all be right
 * while a firewall between control plane and nodes drops every call, and `failurePolicy: Ignore` hides it.
 */
import { doctorAnnotation } from '../../policy/index.js';
import { type Connection, ClusterError } from '../../cluster/index.js';
import { metaOf, readList, type JsonObject } from '../../text/documents/index.js';
import { doctorWarnings } from '../../gate/index.js';
import { type Observation, get, ok, problem, unknown, warning } from './observation.js';
import type { Webhook } from './registration.js';

const resource = 'customresourcedefinitions';
const definitions = `/apis/apiextensions.k8s.io/v1/${resource}`;
const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Nothing where no webhook asks about definitions; nothing is stored by a dry run. */
export async function callThrough(
  connection: Connection,
  webhooks: readonly Webhook[],
): Promise<Observation[]> {
  const isAsked = ({ rules = [] }: Webhook): boolean =>
    rules.some(({ resources = [] }) => resources.includes(resource));
  const asked = webhooks.find(isAsked);
  if (asked === undefined) return [];
  const { name: webhook, clientConfig } = asked;
  const reach =
    clientConfig.url === undefined
      ? 'let the control plane reach the pods (docs/operations.md, Calls that do not come through)'
      : `start the gate at ${clientConfig.url}, and let the API server reach it there`;
  const untried = 'whether calls come through to the gate was not tried';
  if (!clientConfig.caBundle) return [unknown(`${untried}: none does without a caBundle`)];
  const list = await get<JsonObject>(connection, `${definitions}?limit=100`, accept);
  if (list === 'absent' || list === 'forbidden') {
    return [unknown(`${untried}: no right to list ${resource}`)];
  }
  const names = readList(list)
    .objects.map((item) => metaOf(item))
    .filter(({ deletionTimestamp }) => deletionTimestamp === undefined)
    .map(({ name }) => name);
  // The enforcing overlay asks about no definition of Kubernetes' own groups.
  const name = names.find((each) => !each.endsWith('.k8s.io')) ?? names[0];
  if (name === undefined) return [unknown(`${untried}: there is no CustomResourceDefinition yet`)];
  const change = `a dry run of an update of CustomResourceDefinition ${name}`;
  const came = ok(`calls come through: the gate answered ${change}`);
  try {
    const warnings = await connection.warningsOf({
      path: `${definitions}/${name}?dryRun=All&fieldManager=olm-guard-doctor`,
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: JSON.stringify({ metadata: { annotations: { [doctorAnnotation]: 'dry-run' } } }),
    });
    if (warnings.includes(doctorWarnings['api-server'])) {
      return [came, ok('the gate knows that it is the API server which asks')];
    }
    if (warnings.includes(doctorWarnings.unverified)) return [came, warning(unproven)];
    return warnings.includes(doctorWarnings.unauthenticated)
      ? [came, problem(mistaken)]
      : [
          problem(
            `calls do not come through: the gate did not answer ${change}, and failurePolicy Ignore let it pass; ${reach}`,
          ),
        ];
  } catch (error) {
    if (!(error instanceof ClusterError) || error.status === undefined) throw error;
    if (error.message.includes(`admission webhook "${webhook}" denied`)) return [came];
    // The API server's word for a webhook that it insists on and that does not answer.
    if (error.message.includes('failed calling webhook'))
      return [problem(`calls do not come through: ${error.message}; ${reach}`)];
    return [unknown(`${untried}: ${error.message}`)];
  }
}

const unproven =
  'the gate cannot tell the API server from other clients that reach its port, so it names nothing of the cluster to creations; docs/client-certificate.md has the ways to change that';

const mistaken =
  'the gate takes the API server for somebody else and judges every request by itself: the API server shows no certificate, or another one than the gate expects (docs/client-certificate.md)';
