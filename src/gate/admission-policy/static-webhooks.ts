/** Webhooks that an API server reads from a file at start. Source: KEP-5793, on by default from 1.37. */
import {
  invalidInput,
  isObject,
  metaOf,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { objectsAt } from '../../text/documents/fields.js';

/** Reserved: API servers want it in the names of what they read from files, and refuse it in their API. */
export const staticEnding = '.static.k8s.io';

export interface WebhookAddress {
  /** `https://HOST:PORT`: there is no Service before the network is up. */
  readonly url: string;
  /** PEM; without it, the `caBundle` of the registration. */
  readonly authority?: string | undefined;
}

/** @throws InvalidInputError for what is no ValidatingWebhookConfiguration, or has no authority */
export function staticWebhooks(
  configuration: JsonObject,
  { url, authority }: WebhookAddress,
): JsonObject {
  const webhooks = objectsAt(configuration, 'webhooks');
  if (own(configuration, 'kind') !== 'ValidatingWebhookConfiguration' || webhooks.length === 0) {
    throw invalidInput(
      'not a ValidatingWebhookConfiguration with webhooks; name one that is installed or rendered',
    );
  }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: `${metaOf(configuration).name}${staticEnding}` },
    webhooks: webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: clientOf(webhook, { url, authority }),
    })),
  };
}

function clientOf(webhook: JsonObject, { url, authority }: WebhookAddress): JsonObject {
  const client = own(webhook, 'clientConfig');
  const known = isObject(client) ? client : {};
  const service = own(known, 'service');
  const caBundle =
    authority === undefined ? own(known, 'caBundle') : Buffer.from(authority).toString('base64');
  if (caBundle === undefined || caBundle === '') {
    throw invalidInput(
      'the registration has no caBundle; name the authority of the gate with --ca',
    );
  }
  const path = isObject(service) ? own(service, 'path') : pathIn(own(known, 'url'));
  return { url: new URL(typeof path === 'string' ? path : '/', url).href, caBundle };
}

function pathIn(url: JsonValue | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (typeof url === 'string' && URL.canParse(url)) return new URL(url).pathname;
  throw invalidInput('the registration has a url that cannot be read');
}
