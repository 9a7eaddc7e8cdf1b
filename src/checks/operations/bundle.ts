import { askedMinors } from '../../kubernetes/index.js';
import { referenceProfiles } from '../../upgrade/index.js';
import {
  type Bundle,
  type BundleCheck,
  type BundleProfile,
  checkBundle,
  readBundle,
} from '../../olm/index.js';
import { type JsonValue, parseDocuments } from '../../text/documents/index.js';
import { checkOffline, defaultPolicy, type Policy, ruleNamed } from '../../policy/index.js';
import { requiring, text } from './schemas.js';
import { defineOperation } from './operation.js';

type Files = Readonly<Record<string, string>>;

interface BundleInput {
  readonly files: Files;
  readonly against?: Files;
  readonly profile?: BundleProfile;
  readonly kubernetes?: readonly string[];
  readonly extension?: { readonly namespace: string; readonly config?: JsonValue };
}

const files = {
  type: 'object',
  description: 'The content of every file by its path from the root of the bundle.',
  additionalProperties: text,
};

export const bundle = defineOperation<BundleInput>({
  name: 'bundle',
  summary:
    'Checks an operator bundle: its parts, install modes, webhooks, dependencies, and the CRDs it upgrades.',
  input: requiring(['files'], {
    files,
    against: files,
    profile: {
      enum: [...referenceProfiles, 'proof'],
      description:
        'Whose rules decide, as their reference does; without it the policy in force decides.',
    },
    extension: {
      type: 'object',
      additionalProperties: false,
      required: ['namespace'],
      properties: { namespace: text, config: { description: 'spec.config.inline' } },
      description:
        'The ClusterExtension that would install it; output.olmV1 is what OLM v1 says then.',
    },
    kubernetes: {
      type: 'array',
      minItems: 1,
      items: text,
      description:
        'Minors that are asked whether they take its definitions, as in 1.30 or 1.30..1.36; by default the newest, and older ones from minKubeVersion on warn.',
    },
  }),
  judge(input, { policy = defaultPolicy }) {
    const given = read(input.files);
    const { against, profile } = input;
    const kubernetes = input.kubernetes?.join(',') ?? policy.kubernetes;
    // The minor of a cluster is not known here.
    const isNamed = kubernetes !== undefined && !kubernetes.includes('cluster');
    const minors = isNamed ? askedMinors(kubernetes) : undefined;
    const { enforce, crdify } = policy;
    const check = checkBundle(given, {
      ...(profile === undefined
        ? { profile: policy.profile, enforce, crdify, kubernetes: policy.kubernetes }
        : { profile }),
      isWhole: true,
      install: input.extension,
      minors,
      ...(against === undefined ? {} : { against: read(against) }),
    });
    const verdict =
      profile === undefined
        ? decideBundle(given, check, policy)
        : {
            allowed: check.findings.every(({ severity }) => severity !== 'error'),
            findings: check.findings,
          };
    return {
      ...verdict,
      warnings: [...('warnings' in verdict ? verdict.warnings : []), ...(minors?.warnings ?? [])],
      output: {
        name: given.csv?.value.name ?? null,
        version: given.csv?.value.version ?? null,
        places: verdict.findings.map((_, index) => check.places[index] ?? {}),
        olmV1: check.olmV1,
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

/** Decides by the policy, like `check bundle`. */
function decideBundle(bundle: Bundle, judged: BundleCheck, policy: Policy) {
  const groups = [...bundle.crds.keys()].map((name) => name.slice(name.indexOf('.') + 1));
  const subject = { groups, name: bundle.csv?.value.name ?? '' };
  return checkOffline({ subject, ...judged }, policy, ruleNamed);
}

function read(named: Files) {
  const documents = Object.entries(named).flatMap(([file, content]) =>
    /\.(?:ya?ml|json)$/i.test(file) ? parseDocuments(content, { file }) : [],
  );
  return readBundle(documents, 'files');
}
