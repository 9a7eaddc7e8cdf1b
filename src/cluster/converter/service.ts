/** The Service behind a conversion webhook: whether it is there, and whether something is behind it. */
import { X509Certificate } from 'node:crypto';
import { isObject, own, type JsonObject } from '../../text/documents/index.js';
import type { ClusterView } from '../view/view.js';
import { objectsAt } from '../../text/documents/fields.js';

/** `clientConfig.service` of a webhook, with its defaults. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** The path of the URL, with its leading slash. */
  readonly path: string;
}

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * A path that an API server accepts: steps that are DNS subdomains. No other can leave the Service
 * when it becomes part of a longer path.
 *
 * Source: k8s.io/apiserver/pkg/util/webhook/validation.go (ValidateWebhookService).
 */
const path =
  /^(?:\/(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*)*\/?$/;

export function serviceOf(client: JsonObject): ServiceReference | undefined {
  const service = own(client, 'service');
  if (!isObject(service)) return undefined;
  const text = (key: string): string => {
    const value = own(service, key);
    return typeof value === 'string' ? value : '';
  };
  const port = own(service, 'port') ?? 443;
  const [namespace, name, given] = [text('namespace'), text('name'), text('path')];
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
    return undefined;
  }
  // They become parts of a host name and of paths.
  if (!label.test(namespace) || !label.test(name)) return undefined;
  if (given.length > 2_000 || !path.test(given)) return undefined;
  return { namespace, name, port, path: given === '' ? '/' : given };
}

/** The URL that an API server asks, whose name the certificate must have. */
export function urlOf({ namespace, name, port, path }: ServiceReference): URL {
  const url = new URL(`https://${name}.${namespace}.svc:${port}`);
  url.pathname = path;
  return url;
}

export type Authorities =
  /** PEM of each; none where the system's count. */
  | { readonly certificates: readonly string[] }
  /** Why a connection would show nothing about the converter. */
  | { readonly unusable: string };

/** Reading a certificate takes a millisecond, for which all other requests wait. */
const most = { bytes: 64 * 1024, certificates: 32 };

/** The certificates of `caBundle`, each once. */
export function authoritiesOf(client: JsonObject): Authorities {
  const bundle = own(client, 'caBundle');
  if (typeof bundle !== 'string' || bundle === '') return { certificates: [] };
  if (bundle.length > 2 * most.bytes) return { unusable: `its caBundle has more than 64 KiB` };
  const pem = Buffer.from(bundle, 'base64').toString('latin1');
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const certificates = [...new Set(found)];
  if (certificates.length > most.certificates) {
    return { unusable: `its caBundle has more than ${most.certificates} certificates` };
  }
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    return { unusable: 'its caBundle holds no certificate that can be read' };
  }
  return { certificates };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

export type FoundService =
  /** The Service's own address within the cluster. */
  | { readonly address: string }
  /** Why an API server cannot reach it. */
  | { readonly missing: string }
  /** Why it is not asked from here. */
  | { readonly unasked: string };

/** @throws ClusterError where the cluster could not or would not say */
export async function findService(
  view: ClusterView,
  { namespace, name, port }: ServiceReference,
  signal?: AbortSignal,
): Promise<FoundService> {
  const services = { group: '', resource: 'services' };
  const slices = { group: 'discovery.k8s.io', resource: 'endpointslices' };
  const [service, found] = await Promise.all([
    view.get(services, name, namespace, signal),
    view.list(slices, { namespace, labelSelector: `kubernetes.io/service-name=${name}`, signal }),
  ]);
  if (service === undefined) return { missing: `there is no Service ${namespace}/${name}` };
  const spec = own(service, 'spec');
  if (!isObject(spec)) return { unasked: 'its Service has no spec' };
  // A user who may write a Service names any host by it: only addresses that the cluster gave are asked.
  if (own(spec, 'type') === 'ExternalName') return { unasked: 'its Service is an ExternalName' };
  const ports = objectsAt(spec, 'ports').map((each) => own(each, 'port'));
  if (!ports.includes(port)) {
    return { missing: `the Service ${namespace}/${name} has no port ${port}` };
  }
  const ready = found.flatMap((slice) => objectsAt(slice, 'endpoints')).filter(isReady);
  if (ready.length === 0) {
    return { missing: `the Service ${namespace}/${name} has no endpoints that are ready` };
  }
  const address = own(spec, 'clusterIP');
  if (typeof address !== 'string' || address === '' || address === 'None') {
    return { unasked: 'its Service has no cluster IP' };
  }
  return { address };
}

/** Unknown counts as ready: https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/. */
function isReady(endpoint: JsonObject): boolean {
  const conditions = own(endpoint, 'conditions');
  return !isObject(conditions) || own(conditions, 'ready') !== false;
}
