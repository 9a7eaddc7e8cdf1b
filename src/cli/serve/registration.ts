/** Whether the API server would ask the gate, and trust the certificate that it serves. */
import { type Observation, get, problem, unknown, ok } from './observation.js';
import { certificatesOf } from '../../gate/index.js';
import type { Connection } from '../../cluster/index.js';
import { X509Certificate } from 'node:crypto';
import {
  lackOf,
  noBundle,
  ownRegistration,
  packagedWebhooks,
  type RegisteredWebhook,
} from './followed-registration.js';
import { append } from '../../text/long-lists.js';
import { groupBy } from '../../text/group.js';
import { connect, type PeerCertificate } from 'node:tls';

export interface Webhook extends RegisteredWebhook {
  readonly timeoutSeconds?: number;
  readonly failurePolicy?: string;
  readonly clientConfig: {
    readonly caBundle?: string;
    readonly url?: string;
    readonly service?: { readonly name: string; readonly namespace: string };
  };
}

/** For webhooks that name an address: each server once with each `caBundle`, asked from here. */
export async function servedAtAddresses(webhooks: readonly Webhook[]): Promise<Observation[]> {
  const asked = new Map<string, { url: URL; caBundle: string; names: string[] }>();
  const found: Observation[] = [];
  for (const { name, clientConfig } of webhooks) {
    const { url, caBundle = '' } = clientConfig;
    if (url === undefined || caBundle === '') continue;
    const address = new URL(url);
    const key = `${address.host} ${caBundle}`;
    const known = asked.get(key) ?? { url: address, caBundle, names: [] };
    asked.set(key, { ...known, names: [...known.names, name] });
  }
  for (const { url, caBundle, names } of asked.values()) {
    const who = names.join(', ');
    const authorities = certificatesOf(Buffer.from(caBundle, 'base64').toString('utf8'));
    if (authorities.length === 0) {
      found.push(problem(`caBundle holds no PEM certificate: ${who}`));
      continue;
    }
    const served = await lookAtServed(url, authorities);
    if ('unreached' in served) {
      const silent = `${url.host} does not answer here (${served.unreached}), so whether its certificate fits caBundle is not known: ${who}`;
      found.push(unknown(silent));
    } else if (served.isTrusted) {
      found.push(
        ok(`the certificate that ${url.host} serves fits caBundle and ends ${served.ends}`),
      );
    } else {
      found.push(
        problem(
          `caBundle does not fit the certificate that ${url.host} serves (${served.reason}): ${who}; put the authority of that certificate there`,
        ),
      );
    }
  }
  return found;
}

/** @param served the first of the chain that will be served */
export async function inspectRegistration(
  connection: Connection,
  served: X509Certificate | undefined,
): Promise<Observation[]> {
  const webhooks = await webhooksOf(connection, ownRegistration);
  if (!Array.isArray(webhooks)) return [webhooks];
  const distrust =
    served === undefined ? [] : distrustOf([served], authoritiesOf(webhooks), connection.now());
  return [...registrationOf(webhooks, ownRegistration), ...distrust];
}

export async function webhooksOf(
  connection: Connection,
  registration: string,
): Promise<Webhook[] | Observation> {
  const path = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${registration}`;
  const registered = await get<{ webhooks?: Webhook[] }>(connection, path);
  if (registered === 'absent') {
    return problem(
      `no ValidatingWebhookConfiguration ${registration}: the API server asks nobody; kubectl apply -k manifests/overlays/default, or helm install`,
    );
  }
  if (registered === 'forbidden') {
    return unknown(`ValidatingWebhookConfiguration ${registration} may not be read`);
  }
  return registered.webhooks ?? [];
}

export function registrationOf(
  webhooks: readonly Webhook[],
  registration: string,
  fillsIn = 'certs/install.sh fills it in, or overlays/default',
): Observation[] {
  const found = webhooks.map(registered);
  const without = webhooks.filter(({ clientConfig }) => !clientConfig.caBundle);
  if (without.length > 0) {
    const refused = without.some(({ failurePolicy }) => failurePolicy === 'Fail')
      ? `; until then writes are refused (failurePolicy Fail): kubectl delete validatingwebhookconfiguration ${registration} ends that`
      : '';
    const lack = `no caBundle, so the API server trusts no certificate of the gate: ${namesOf(without)}`;
    found.push(problem(`${lack}; ${fillsIn}${refused}`));
  }
  append(found, missingOf(webhooks, registration));
  return found;
}

const namesOf = (named: readonly { readonly name: string }[]): string =>
  named.map(({ name }) => name).join(', ');

/** Parts of the release's own registration that are missing; one of another name has webhooks of its own. */
function missingOf(webhooks: readonly Webhook[], registration: string): Observation[] {
  const how = webhooks.some(({ clientConfig }) => clientConfig.url !== undefined)
    ? 'docs/operations.md, Try it beside an API server, registers every webhook'
    : 'kubectl apply -k the overlay in use, such as manifests/overlays/default, or helm upgrade';
  if (webhooks.length === 0) {
    const message = `ValidatingWebhookConfiguration ${registration} has no webhooks, so the API server asks no gate; ${how}`;
    return [problem(message)];
  }
  if (registration !== ownRegistration) return [];
  const lacks = groupBy(packagedWebhooks(), (expected) => lackOf(expected, webhooks));
  return [...lacks].flatMap(([lack, those]) => {
    if (lack === undefined || lack === noBundle) return [];
    return [problem(`${lack}: ${namesOf(those)}, so what is sent there is not judged; ${how}`)];
  });
}

/** One line each: the resources asked about, and what happens when no answer comes. */
function registered({ name, failurePolicy, timeoutSeconds, rules = [] }: Webhook): Observation {
  const asked = rules.map(
    ({ operations, resources }) => `${operations.join('/')} of ${resources.join(', ')}`,
  );
  const insists = failurePolicy === 'Fail' ? 'refused' : 'let pass';
  const seconds = timeoutSeconds === undefined ? '' : ` in ${timeoutSeconds} s`;
  return ok(
    `registered: ${name} (${asked.join('; ')}); without an answer${seconds} ${insists} (failurePolicy ${failurePolicy})`,
  );
}

export function authoritiesOf(webhooks: readonly Webhook[]): Map<string, X509Certificate[]> {
  return new Map(
    webhooks.flatMap(({ name, clientConfig: { caBundle } }) =>
      caBundle ? [[name, certificatesIn(caBundle)]] : [],
    ),
  );
}

function certificatesIn(base64 = ''): X509Certificate[] {
  return certificatesOf(Buffer.from(base64, 'base64').toString('utf8')).flatMap((text) => {
    try {
      return [new X509Certificate(text)];
    } catch {
      return [];
    }
  });
}

const servingSecret = (
  connection: Connection,
  namespace: string,
): Promise<{ data?: Record<string, string> } | 'absent' | 'forbidden'> =>
  get(connection, `/api/v1/namespaces/${namespace}/secrets/olm-guard-tls`);

export async function certificateOf(
  connection: Connection,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  authorities: ReadonlyMap<string, readonly X509Certificate[]>,
  isMadeByGate: boolean,
): Promise<Observation[]> {
  const what = `Secret ${namespace}/olm-guard-tls`;
  const secret = await servingSecret(connection, namespace);
  if (secret === 'forbidden') return [unknown(`${what} may not be read`)];
  if (secret === 'absent') {
    const how = isMadeByGate
      ? 'the gate makes it at its start'
      : 'docs/operations.md, Certificates';
    return [problem(`${what} is not there: no certificate to serve with; ${how}`)];
  }
  const chain = certificatesIn(secret.data?.['tls.crt']);
  const [certificate] = chain;
  if (certificate === undefined) return [problem(`${what} holds no PEM certificate in tls.crt`)];
  const found: Observation[] = [];
  const host = `${name}.${namespace}.svc`;
  const now = connection.now();
  const ends = certificate.validTo;
  if (Date.parse(ends) < now) found.push(problem(`the serving certificate ended ${ends}`));
  else if (Date.parse(certificate.validFrom) > now)
    found.push(problem(`the serving certificate is not valid before ${certificate.validFrom}`));
  if (certificate.checkHost(host) === undefined)
    found.push(problem(`the serving certificate is not for ${host}`));
  const distrust = distrustOf(chain, authorities, now);
  const isChanging = distrust.length > 0 && secret.data?.['next-ca.crt'] !== undefined;
  const changing = unknown('the gate is changing its authority; ask again in a minute');
  append(found, isChanging ? [changing] : distrust);
  if (found.length > 0) return found;
  const fits = authorities.size === 0 ? '' : 'fits caBundle and ';
  return [ok(`the serving certificate ${fits}ends ${ends}`)];
}

/** Webhooks whose caBundle does not lead to the serving certificate. */
function distrustOf(
  chain: readonly X509Certificate[],
  authorities: ReadonlyMap<string, readonly X509Certificate[]>,
  now: number,
): Observation[] {
  const isTrusted = (bundle: readonly X509Certificate[]): boolean =>
    bundle.some(
      (authority) =>
        Date.parse(authority.validTo) > now &&
        chain.some((each) => each.checkIssued(authority) && each.verify(authority.publicKey)),
    );
  const names = [...authorities].filter(([, bundle]) => !isTrusted(bundle)).map(([name]) => name);
  if (names.length === 0) return [];
  const message = `no authority in caBundle stands behind the serving certificate, or it has ended: ${names.join(', ')}; look at who issues it (docs/operations.md, Certificates)`;
  return [problem(message)];
}

type ServedCertificate =
  | { readonly isTrusted: true; readonly ends: string }
  | { readonly isTrusted: false; readonly reason: string }
  /** This host gets no answer. */
  | { readonly unreached: string };

const patienceMilliseconds = 5_000;

/** @param authorities PEM of those that may have signed it; the system's where there are none */
function lookAtServed(url: URL, authorities: readonly string[]): Promise<ServedCertificate> {
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(/^[\d.]+$/.test(host) || host.includes(':') ? {} : { servername: host }),
      ...(authorities.length === 0 ? {} : { ca: [...authorities] }),
      timeout: patienceMilliseconds,
      // Looked at only: nothing is sent to the peer.
      rejectUnauthorized: false,
    });
    const end = (served: ServedCertificate): void => {
      socket.destroy();
      resolve(served);
    };
    socket.once('secureConnect', () => {
      if (!socket.authorized) {
        const { message = String(socket.authorizationError) } = socket.authorizationError ?? {};
        end({ isTrusted: false, reason: message });
        return;
      }
      const { valid_to: ends }: PeerCertificate = socket.getPeerCertificate();
      end({ isTrusted: true, ends });
    });
    socket.once('timeout', () => end({ unreached: 'no answer in time' }));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end({ unreached: error.message === '' ? String(error.code) : error.message }),
    );
  });
}
