import { InvalidInputError } from '../../text/documents/index.js';
import {
  InvalidVersionError,
  apiAccepts,
  parseBlangRange,
  parseMastermindsRange,
  parseVersion,
  type Version,
  compareVersions,
  formatVersion,
} from '../../text/versions/index.js';
import { optionalText, requiring, text } from './schemas.js';
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
  input: requiring(['dialect', 'constraint'], {
    dialect: {
      enum: ['masterminds', 'blang'],
      description:
        'masterminds: spec.source.catalog.version of a ClusterExtension; blang: olm.skipRange and dependencies',
    },
    constraint: text,
    version: optionalText,
  }),
  judge({ dialect, constraint, version }) {
    const accepted = dialect === 'masterminds' ? { apiAccepts: apiAccepts(constraint) } : {};
    try {
      const matches =
        dialect === 'masterminds' ? parseMastermindsRange(constraint) : parseBlangRange(constraint);
      const result =
        version === undefined || version === null ? {} : { result: matches(parseVersion(version)) };
      return { output: { ...result, ...accepted } };
    } catch (error) {
      if (!(error instanceof InvalidVersionError)) throw error;
      const path = error.code === 'E_RANGE' ? '$.constraint' : '$.version';
      throw new InvalidInputError(error.code, error.message, { path }, accepted);
    }
  },
});

type VersionInput = { readonly a: string; readonly b: string } | { readonly version: string };

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
      return { output: { ok: true, canonical } };
    }
    const compare = compareVersions(read(input.a, '$.a'), read(input.b, '$.b'));
    return { output: { compare } };
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
