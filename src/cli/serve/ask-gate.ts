/** Sends the gate a review over HTTPS, as a kube-apiserver does. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:https';
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';

/** The AdmissionReview that a kube-apiserver sends for an update of a CustomResourceDefinition. */
export function reviewOfUpdate(
  name: string,
  oldObject: JsonObject,
  object: JsonObject,
): JsonObject {
  const group = 'apiextensions.k8s.io';
  const resource = { group, version: 'v1', resource: 'customresourcedefinitions' };
  const kind = { group, version: 'v1', kind: 'CustomResourceDefinition' };
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: randomUUID(),
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name,
      operation: 'UPDATE',
      userInfo: { username: 'demo', groups: ['system:authenticated'] },
      object,
      oldObject,
      dryRun: false,
      options: { apiVersion: 'meta.k8s.io/v1', kind: 'UpdateOptions' },
    },
  };
}

/**
 * @param ca PEM of the authority that signed the gate's certificate
 * @returns `response` of the AdmissionReview that comes back
 */
export function askGate(url: string, ca: string, review: JsonObject): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}/validate?timeout=10s`,
      { method: 'POST', ca, headers: { 'content-type': 'application/json' } },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const answer = parseJson(Buffer.concat(pieces));
          const inner = isObject(answer) ? own(answer, 'response') : undefined;
          if (isObject(inner)) resolve(inner);
          else reject(new Error(`the gate answered ${stringifyJson(answer)}`));
        });
      },
    );
    call.on('error', reject);
    call.end(stringifyJson(review));
  });
}
