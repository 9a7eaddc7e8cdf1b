import { InvalidInputError } from '../../text/documents/index.js';
import {
  InvalidRangeError,
  InvalidVersionError,
  apiAccepts,
  parseBlangRange,
  parseMastermindsRange,
  parseVersion,
} from '../../text/versions/index.js';
import { defineOperation } from './operation.js';

interface RangeInput {
  readonly dialect: 'masterminds' | 'blang';
  readonly constraint: string;
  readonly version?: string | null;
}

export const range = defineOperation<RangeInput>({
  name: 'range',
  summary: 'Whether a version range is valid, and whether it matches a version.',
  quick: true,
  input: {
    type: 'object',
    required: ['dialect', 'constraint'],
    properties: {
      dialect: {
        enum: ['masterminds', 'blang'],
        description:
          'masterminds: spec.source.catalog.version of a ClusterExtension; blang: olm.skipRange and dependencies',
      },
      constraint: { type: 'string' },
      version: { type: ['string', 'null'] },
    },
  },
  judge({ dialect, constraint, version }) {
    const accepted = dialect === 'masterminds' ? { apiAccepts: apiAccepts(constraint) } : {};
    try {
      const matches =
        dialect === 'masterminds' ? parseMastermindsRange(constraint) : parseBlangRange(constraint);
      const result =
        version === undefined || version === null ? {} : { result: matches(parseVersion(version)) };
      return { allowed: true, findings: [], output: { ...result, ...accepted } };
    } catch (error) {
      if (error instanceof InvalidRangeError) {
        throw new InvalidInputError('E_RANGE', error.message, { path: '$.constraint' }, accepted);
      }
      if (error instanceof InvalidVersionError) {
        throw new InvalidInputError('E_VERSION', error.message, { path: '$.version' }, accepted);
      }
      throw error;
    }
  },
});
