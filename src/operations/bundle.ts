/** `bundle`: what is wrong with an operator bundle, and with its upgrade from the one it replaces. */
import { checkBundle, readBundle, type BundleProfile } from '../rules/bundle/index.js';
import { parseDocuments } from '../text/documents/index.js';
import { defineOperation } from './operation.js';

type Files = Readonly<Record<string, string>>;

interface BundleInput {
  readonly files: Files;
  readonly against?: Files;
  readonly profile?: BundleProfile;
}

const files = {
  type: 'object',
  description: 'The content of every file by its path from the root of the bundle.',
  additionalProperties: { type: 'string' },
};

export const bundle = defineOperation<BundleInput>({
  name: 'bundle',
  summary:
    'Checks an operator bundle: its parts, install modes, webhooks, dependencies, and the CRDs it upgrades.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['files'],
    properties: { files, against: files, profile: { enum: ['olm-v1', 'crdify', 'proof'] } },
  },
  judge(input) {
    const given = read(input.files);
    const { against, profile = 'olm-v1' } = input;
    const check = checkBundle(given, {
      profile,
      isWhole: true,
      ...(against === undefined ? {} : { against: read(against) }),
    });
    return {
      allowed: check.findings.every(({ severity }) => severity !== 'error'),
      findings: check.findings,
      output: {
        name: given.csv?.value.name ?? null,
        version: given.csv?.value.version ?? null,
        places: check.places,
        crds: check.crds.map(({ name, message, effect, results }) => ({
          name,
          message,
          effect: effect ?? null,
          results,
        })),
      },
    };
  },
});

function read(named: Files) {
  const documents = Object.entries(named).flatMap(([file, content]) =>
    /\.(?:ya?ml|json)$/i.test(file) ? parseDocuments(content, { file }) : [],
  );
  return readBundle(documents, 'files');
}
