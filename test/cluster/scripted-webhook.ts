/** An admission webhook that answers as a test wants it. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from '../../src/gate/server/certificates/files.js';
import type { TestCluster } from '../apiserver/cluster.js';

export interface AdmissionRequest {
  readonly uid: string;
  readonly name: string;
  readonly dryRun?: boolean;
  readonly options?: { readonly fieldManager?: string };
  readonly userInfo: { readonly username: string };
}

export interface Denial {
  readonly code: number;
  readonly message: string;
}

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/**
 * Validates updates of one kind's objects.
 *
 * @param judge undefined where it may pass
 * @returns what unregisters and stops it
 */
export async function startWebhook(
  cluster: TestCluster,
  plural: string,
  judge: (request: AdmissionRequest) => Promise<Denial | undefined>,
): Promise<() => Promise<void>> {
  const { current, authority } = await selfSigned(['127.0.0.1']);
  const server = createServer(current, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { request } = JSON.parse(Buffer.concat(chunks).toString()) as {
        request: AdmissionRequest;
      };
      void judge(request).then((status) => {
        const response = { uid: request.uid, allowed: status === undefined, status };
        outgoing.setHeader('content-type', 'application/json');
        outgoing.end(
          JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }),
        );
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const name = `${plural}.example.com`;
  const caBundle = Buffer.from(authority).toString('base64');
  const rule = {
    apiGroups: ['example.com'],
    apiVersions: ['*'],
    operations: ['UPDATE'],
    resources: [plural],
  };
  const answer = await cluster.request('POST', configurations, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle },
        rules: [rule],
      },
    ],
  });
  if (answer.code !== 201) throw new Error(answer.text);
  // The API server reads its list of webhooks anew about once a second.
  await sleep(2000);
  return async () => {
    await cluster.request('DELETE', `${configurations}/${name}`);
    server.close();
    server.closeAllConnections();
  };
}
