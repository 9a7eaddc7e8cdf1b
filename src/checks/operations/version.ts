import { InvalidInputError } from '../../text/documents/index.js';
import {
  InvalidVersionError,
  type Version,
  compareVersions,
  formatVersion,
  parseVersion,
} from '../../text/versions/index.js';
import { defineOperation } from './operation.js';

type VersionInput = { readonly a: string; readonly b: string } | { readonly version: string };

const text = { type: 'string' } as const;

export const version = defineOperation<VersionInput>({
  name: 'version',
  summary: 'Whether a text is a version, or which of two versions comes first.',
  quick: true,
  input: {
    type: 'object',
    properties: { version: text, a: text, b: text },
    anyOf: [{ required: ['version'] }, { required: ['a', 'b'] }],
  },
  judge(input) {
    if ('version' in input) {
      const canonical = formatVersion(read(input.version, '$.version'));
      return { allowed: true, findings: [], output: { ok: true, canonical } };
    }
    const compare = compareVersions(read(input.a, '$.a'), read(input.b, '$.b'));
    return { allowed: true, findings: [], output: { compare } };
  },
});

function read(value: string, path: string): Version {
  try {
    return parseVersion(value);
  } catch (error) {
    if (!(error instanceof InvalidVersionError)) throw error;
    throw new InvalidInputError('E_VERSION', error.message, { path });
  }
}
