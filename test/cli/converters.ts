/** Conversion webhooks over HTTPS: good ones, and one that gets each thing wrong. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate } from '../../src/gate/server/certificates/authority.js';
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../src/text/documents/index.js';

const text = { type: 'string' };

export function version(name: string, isStorage: boolean, spec: object): object {
  return {
    name,
    served: true,
    storage: isStorage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: spec } },
      },
    },
  };
}

const shared = {
  first: text,
  last: text,
  big: { type: 'integer', format: 'int64' },
  note: { ...text, nullable: true },
  tags: { type: 'array', items: text },
  hosts: { type: 'array', items: text, maxItems: 100 },
  ports: {
    type: 'array',
    items: { type: 'object', properties: { name: text, number: { type: 'integer' } } },
  },
  settings: { type: 'object', additionalProperties: text },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/** Two served versions: `size` of the first is `replicas` of the second, which alone has `zone`. */
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      version('v1', true, { ...shared, size: { type: 'integer' } }),
      version('v2', false, { ...shared, replicas: { type: 'integer' }, zone: text }),
    ],
  },
};

export type ConvertObject = (object: JsonObject, to: string) => JsonObject;

export function specOf(object: JsonObject): JsonObject | undefined {
  const spec = own(object, 'spec');
  return isObject(spec) ? spec : undefined;
}

export function metadataOf(object: JsonObject): JsonObject {
  return own(object, 'metadata') as JsonObject;
}

export const zoneNote = 'example.com/zone';

/** Loses nothing: what the first version has no field for is kept in an annotation. */
export const rename: ConvertObject = (object, to) => {
  if (own(object, 'apiVersion') === to) return object;
  const toSecond = to.endsWith('/v2');
  const spec = specOf(object);
  if (spec === undefined) return { ...object, apiVersion: to };
  const { [toSecond ? 'size' : 'replicas']: number, zone, ...rest } = spec;
  const metadata: JsonObject = { ...metadataOf(object) };
  const annotations: JsonObject = { ...(own(metadata, 'annotations') as JsonObject | undefined) };
  let kept: JsonValue | undefined = toSecond ? annotations[zoneNote] : undefined;
  if (toSecond) delete annotations[zoneNote];
  else if (zone !== undefined) annotations[zoneNote] = zone;
  if (!toSecond) kept = undefined;
  return {
    ...object,
    apiVersion: to,
    metadata: { ...metadata, annotations },
    spec: {
      ...rest,
      ...(number === undefined ? {} : { [toSecond ? 'replicas' : 'size']: number }),
      ...(kept === undefined ? {} : { zone: kept }),
    },
  };
};

export interface Behaviour {
  readonly convert?: ConvertObject;
  /** What becomes of the whole answer. */
  readonly answer?: (response: JsonObject, count: number) => JsonValue;
  /** Before anything is read: a status, or nothing at all. */
  readonly status?: (count: number) => number | 'silence' | undefined;
  /** As most languages read numbers. */
  readonly losesNumbers?: true;
  readonly certificate?: 'expired' | 'other authority' | 'other name';
  /** Like controller-runtime, which converts to another type only. */
  readonly refusesOwnVersion?: true;
}

export interface RunningConverter {
  readonly url: string;
  /** PEM of the authority that signed its certificate, as far as is told. */
  readonly authority: string;
  readonly port: number;
  /** Milliseconds in which it worked. */
  readonly worked: () => number;
  readonly asked: () => number;
  readonly close: () => Promise<void>;
}

const day = 24 * 60 * 60 * 1000;

export async function startConverter(
  { convert = rename, answer, status, losesNumbers, certificate, refusesOwnVersion }: Behaviour,
  name = '127.0.0.1',
  host = '127.0.0.1',
): Promise<RunningConverter> {
  const made = certificate === 'expired' ? Date.now() - 1000 * day : Date.now();
  const authority = await createAuthority(made, 3650);
  const told =
    certificate === 'other authority' ? await createAuthority(Date.now(), 3650) : authority;
  const names = [certificate === 'other name' ? 'elsewhere.example.com' : name];
  const current = await issueCertificate(authority, names, made);
  let count = 0;
  let worked = 0;
  const server: Server = createServer(current, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const started = performance.now();
      count++;
      const code = status?.(count);
      if (code === 'silence') return;
      if (code !== undefined) {
        outgoing.statusCode = code;
        outgoing.end('it is broken');
        return;
      }
      const body = Buffer.concat(chunks);
      const review = (losesNumbers ? JSON.parse(body.toString()) : parseJson(body)) as JsonObject;
      const request = own(review, 'request') as JsonObject;
      const to = own(request, 'desiredAPIVersion') as string;
      const objects = own(request, 'objects') as JsonObject[];
      let response: JsonObject;
      try {
        if (refusesOwnVersion && objects.some((each) => own(each, 'apiVersion') === to)) {
          response = {
            uid: own(request, 'uid') ?? '',
            result: { status: 'Failure', message: 'same type' },
          };
        } else {
          const convertedObjects = objects.map((object) => convert(object, to));
          response = {
            uid: own(request, 'uid') ?? '',
            convertedObjects,
            result: { status: 'Success' },
          };
        }
      } catch {
        // What Go's server does when a handler panics.
        incoming.socket.destroy();
        return;
      }
      const whole = answer === undefined ? response : answer(response, count);
      const sent = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        response: whole,
      };
      const bytes = losesNumbers ? JSON.stringify(sent) : stringifyJson(sent);
      worked += performance.now() - started;
      outgoing.setHeader('content-type', 'application/json');
      outgoing.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${host}:${port}/convert`,
    authority: told.cert,
    port,
    worked: () => worked,
    asked: () => count,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
