/** One HTTPS request to an API server, with the parts of the answer that tests look at. */
import { request as httpsRequest, type Agent } from 'node:https';
import type { IncomingMessage } from 'node:http';

/** An object, a list or a Status, as far as tests read it by name. */
export interface KubernetesBody {
  apiVersion?: string;
  kind?: string;
  metadata?: KubernetesMetadata;
  items?: KubernetesBody[];
  /** Of a Status. */
  message?: string;
  reason?: string;
  code?: number;
  details?: {
    causes?: { reason?: string; message?: string; field?: string }[];
    [key: string]: unknown;
  };
  [key: string]: unknown;
}

interface KubernetesMetadata {
  name?: string;
  namespace?: string;
  resourceVersion?: string;
  generation?: number;
  uid?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  [key: string]: unknown;
}

export interface Answer {
  /** HTTP status code. */
  code: number;
  /** The texts of the Warning headers, in order. */
  warnings: string[];
  text: string;
  /** The parsed text; `{}` when the answer is not a JSON object. */
  body: KubernetesBody;
}

export interface RequestTarget {
  url: string;
  ca: string;
  token: string;
  agent: Agent;
}

export async function send(
  target: RequestTarget,
  method: string,
  path: string,
  body: string | object | undefined,
  contentType: string,
): Promise<Answer> {
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = httpsRequest(
      new URL(path, target.url),
      {
        method,
        ca: target.ca,
        agent: target.agent,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${target.token}`,
          ...(payload === undefined
            ? {}
            : { 'content-type': contentType, 'content-length': Buffer.byteLength(payload) }),
        },
      },
      resolve,
    );
    outgoing.once('error', reject);
    outgoing.end(payload);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    code: response.statusCode ?? 0,
    warnings: warningTexts(response),
    text,
    body: parseBody(text),
  };
}

function parseBody(text: string): KubernetesBody {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as KubernetesBody) : {};
  } catch {
    return {};
  }
}

/** `Warning: 299 - "text"` (RFC 7234, 5.5); Node's `headers` would join several into one. */
function warningTexts(response: IncomingMessage): string[] {
  const texts: string[] = [];
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    if (response.rawHeaders[index]?.toLowerCase() !== 'warning') continue;
    // Node reads header bytes as latin1, the API server writes UTF-8.
    const value = Buffer.from(response.rawHeaders[index + 1] ?? '', 'latin1').toString('utf8');
    const quoted = /^\d{3} \S+ "((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
    if (quoted !== undefined) texts.push(quoted.replace(/\\(.)/g, '$1'));
  }
  return texts;
}
