/** Reads the first bytes of a review, for reviews that are not read yet or not at all. */
import { operations, type AdmissionRequest } from './admission-review.js';

/** API servers write the fields that are read here within so many bytes. */
export const headBytes = 4096;

/** The request's own fields, as far as the head has them. */
export interface ReviewHead extends Pick<
  AdmissionRequest,
  'uid' | 'subResource' | 'name' | 'namespace'
> {
  readonly operation?: AdmissionRequest['operation'];
  readonly resource?: { readonly group: string; readonly resource: string };
  readonly userInfo?: { readonly username?: string };
}

/**
 * Undefined when the head does not name the review's uid (yet). Fields count only where they belong,
 * directly in the request and before its objects: what an object holds says nothing about the request.
 */
export function readReviewHead(bytes: Buffer): ReviewHead | undefined {
  const { own, inner } = stringsOfRequest(bytes.toString('utf8', 0, headBytes));
  const uid = own.get('uid');
  if (uid === undefined || uid === '' || uid.length > 1024) return undefined;
  const resource = inner.get('resource');
  const plural = resource?.get('resource');
  const username = inner.get('userInfo')?.get('username');
  return {
    uid,
    ...field('subResource', own.get('subResource')),
    ...field('name', own.get('name')),
    ...field('namespace', own.get('namespace')),
    ...field(
      'operation',
      operations.find((each) => each === own.get('operation')),
    ),
    ...(plural === undefined
      ? {}
      : { resource: { group: resource?.get('group') ?? '', resource: plural } }),
    ...(username === undefined ? {} : { userInfo: { username } }),
  };
}

function field<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}

interface Strings {
  readonly own: Map<string, string>;
  readonly inner: Map<string, Map<string, string>>;
}

/** Whole strings, a string that is cut off by the end, and brackets, colons and commas. */
const tokens = /"(?:[^"\\]|\\[^])*("|$)|[[\]{}:,]/g;

function stringsOfRequest(text: string): Strings {
  const found: Strings = { own: new Map(), inner: new Map() };
  /** The keys of the objects and lists that are open; items of a list have no key. */
  const path: (string | undefined)[] = [];
  let key: string | undefined;
  let last: string | undefined;
  for (const [token, end] of text.matchAll(tokens)) {
    switch (token[0]) {
      case '{':
      case '[':
        path.push(key);
        key = undefined;
        break;
      case '}':
      case ']':
        path.pop();
        key = undefined;
        break;
      case '"':
        last = end === '"' ? unquoted(token) : undefined;
        if (last === undefined) return found;
        if (key !== undefined) record(found, path, key, last);
        break;
      case ':':
        key = last;
        if (path.length === 2 && (key === 'object' || key === 'oldObject')) return found;
        break;
      default:
        key = undefined;
    }
  }
  return found;
}

function unquoted(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}

function record(found: Strings, path: readonly unknown[], key: string, value: string): void {
  const [, request, parent] = path;
  if (request !== 'request') return;
  if (path.length === 2) found.own.set(key, value);
  if (path.length === 3 && typeof parent === 'string') {
    const fields = found.inner.get(parent) ?? new Map<string, string>();
    found.inner.set(parent, fields.set(key, value));
  }
}
