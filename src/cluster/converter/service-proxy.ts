/** A converter behind a Service, asked through the API server's proxy: from wherever kubectl works. */
import type { Answer, Convert } from '../conversion/review.js';
import { InvalidInputError, parseJson, stringifyJson } from '../../text/documents/index.js';
import type { Connection } from '../view/connection.js';
import { ClusterError } from '../view/view.js';
import type { ConverterLimits } from './https.js';
import type { ServiceReference } from './service.js';

/** The API server checks no certificate on this way, so nothing is said about that. */
export function throughProxy(
  connection: Connection,
  { namespace, name, port, path }: ServiceReference,
  { milliseconds, answerBytes }: ConverterLimits,
): Convert {
  const service = `https:${encodeURIComponent(name)}:${port}`;
  const root = `/api/v1/namespaces/${encodeURIComponent(namespace)}/services/${service}/proxy`;
  return async (review): Promise<Answer> => {
    const late = AbortSignal.timeout(milliseconds);
    try {
      const init = { path: `${root}${path}`, method: 'POST', body: stringifyJson(review) } as const;
      const bytes = await connection.read({ ...init, signal: late, maxAnswerBytes: answerBytes });
      return { body: parseJson(bytes) };
    } catch (error) {
      if (error instanceof InvalidInputError) {
        return {
          failure: { clause: 'unreadable', reason: `the answer is no JSON: ${error.message}` },
        };
      }
      if (!(error instanceof ClusterError)) throw error;
      if (error.isForbidden) throw error;
      return { failure: { clause: clauseOf(error, late.aborted), reason: error.message } };
    }
  };
}

function clauseOf(
  { status, again }: ClusterError,
  isLate: boolean,
): 'late' | 'too-large' | 'unreachable' | 'status' {
  if (isLate) return 'late';
  if (again.isTooLarge === true) return 'too-large';
  // The proxy's own words for a Service that is not there, or has nothing behind it.
  return status === undefined || status === 404 || status === 503 ? 'unreachable' : 'status';
}
