/** `serve --check`: what `serve` would find with the same options, one by one, without serving. */
import { X509Certificate } from 'node:crypto';
import { policyWarnings } from '../../policy/index.js';
import { type Connection, ClusterError, ownNamespace, FolderCluster } from '../../cluster/index.js';
import { ruleNames } from '../../checks/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import {
  notValidAt,
  readAuthority,
  readCertificate,
  readFrontProxy,
  parseAddress,
  readPolicy,
} from '../../gate/index.js';
import { openConnection } from '../options/cluster-option.js';
import { connectionOf } from '../options/olm-source.js';
import { inspectRegistration } from './registration.js';
import { inspectRights } from './rights.js';
import { ok, problem, unknown, type Observation } from './observation.js';
import {
  certificateFiles,
  needsClientAuthority,
  oneWayToShow,
  type ServeOptions,
} from './serving.js';
import { append } from '../../text/long-lists.js';

/** Writes nothing and waits for no other process. */
export async function checkServing(options: ServeOptions): Promise<Observation[]> {
  const { tlsCertFile, tlsPrivateKeyFile, tlsSecret, clientCaFile } = options;
  const seen: Observation[] = [];
  /** An error in a look is an observation too. */
  async function look<Seen>(see: () => Promise<Seen> | Seen): Promise<Seen | undefined> {
    try {
      return await see();
    } catch (error) {
      if (error instanceof InvalidInputError) seen.push(problem(error.describe()));
      else if (error instanceof ClusterError) seen.push(unknown(error.message));
      else throw error;
      return undefined;
    }
  }

  await look(() => [options.listen, options.metricsListen].map(parseAddress));
  const { policy: file, policyOverrides: overrides } = options;
  const policy = await look(() => readPolicy({ file, overrides }, ruleNames));
  if (policy !== undefined) {
    const warnings = policyWarnings(policy, new Date());
    seen.push(ok(['the policy can be read', ...warnings].join('; ')));
  }
  let served: X509Certificate | undefined;
  if (tlsSecret !== undefined) {
    seen.push(
      unknown(`the certificate is in Secret ${tlsSecret}: olm-guard doctor looks at that one`),
    );
  } else if (tlsCertFile !== undefined || tlsPrivateKeyFile !== undefined) {
    const pair = await look(() => readCertificate(...certificateFiles(options)));
    if (pair !== undefined) {
      const wrong = notValidAt(new Date(), pair);
      seen.push(
        wrong === undefined
          ? ok(`the serving certificate ends ${pair.expires.toISOString()}`)
          : problem(`the serving certificate in ${tlsCertFile} ${wrong}`),
      );
      served = new X509Certificate(pair.cert);
    }
  } else {
    seen.push(
      ok('the certificate will be made at the start, by an authority that nobody knows yet'),
    );
  }
  if (clientCaFile !== undefined && (await look(() => readAuthority(clientCaFile))) !== undefined) {
    seen.push(ok('the client CA can be read'));
  }
  await look(() => oneWayToShow(options));
  if (options.events === true) await look(() => needsClientAuthority(options));
  if ((options.catalog ?? []).length > 0) {
    seen.push(unknown('catalogs are not read here: olm-guard catalog validate does'));
  }
  const before = seen.length;
  const connection = await look(() => openConnection(options));
  if (connection === undefined) {
    await look(async () => {
      if (options.state !== undefined) await FolderCluster.read(options.state, {});
    });
    if (tlsSecret !== undefined) await look(() => connectionOf({}, '--tls-secret'));
    if (options.metricsAccess === 'authorized') {
      await look(() => connectionOf({}, '--metrics-access=authorized'));
    }
    if (options.events === true) await look(() => connectionOf({}, '--events'));
    if (options.aggregatedApi === true) await look(() => connectionOf({}, '--aggregated-api'));
    if (seen.length === before) {
      seen.push(unknown('no API server is named: rights and registration are not checked'));
    }
    return seen;
  }
  try {
    if (options.aggregatedApi === true) {
      const found = await look(() => readFrontProxy(connection));
      if (found !== undefined) seen.push(ok('the front proxy CA can be read'));
    }
    await look(async () => append(seen, await clusterSide(connection, options, served)));
  } finally {
    connection.close();
  }
  return seen;
}

async function clusterSide(
  connection: Connection,
  { tlsSecret, metricsAccess, events = false, aggregatedApi: aggregated = false }: ServeOptions,
  served: X509Certificate | undefined,
): Promise<Observation[]> {
  return [
    ...(await inspectRights(connection, undefined, ownNamespace(), {
      certificates: tlsSecret !== undefined,
      access: metricsAccess === 'authorized',
      events,
      aggregated,
    })),
    ...(await inspectRegistration(connection, served)),
  ];
}
