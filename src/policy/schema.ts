/** The JSON Schema of the policy file; schemas/policy.schema.json is this with the names of rules. */
import { families, mildHarms } from '../rule/index.js';
import { schemaUrl } from '../text/package.js';
import {
  bypassSources,
  enforcements,
  modes,
  profiles,
  promiseModes,
  undecidedChoices,
} from './policy.js';

const string = { type: 'string', minLength: 1 };
const strings = (description: string): object => ({
  description,
  type: 'array',
  minItems: 1,
  items: string,
});
/** Bounded, because they are compared with every finding. */
const globs = (description: string): object => ({
  ...strings(description),
  maxItems: 100,
  items: { ...string, maxLength: 500 },
});
const closed = (properties: object, more: object = {}): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
});

/** Any client can name itself after such a manager, so these groups must not be allowed. */
const everybody = [
  'system:anonymous',
  'system:authenticated',
  'system:serviceaccounts',
  'system:unauthenticated',
];
const notEverybody = (description: string): object => ({
  ...strings(description),
  items: { ...string, not: { enum: everybody } },
});

/** The start of a reason that a person must still write. */
const toFillIn = '^\\s*FILL IN\\b';

/** The placeholder that `check crd --write-exemptions` writes in place of a reason. */
export const reasonToFillIn = 'FILL IN: why no object or client is affected';

const choice = { enum: ['Allow', 'Disallow'] };
export const crdifyOptionsSchema = closed(
  {
    enum: closed({ additionPolicy: choice }),
    pattern: closed({ removalPolicy: choice }),
    nullable: closed({ additionPolicy: choice, removalPolicy: choice }),
    oneOf: closed({ additionPolicy: choice, removalPolicy: choice }),
  },
  {
    description:
      "Options of crdify's validations under the profiles crdify and olm-v1.10 (oneOf: olm-v1.10). What is not named is as OLM v1 sets it: an enum may get values, all else is Disallow. For crdify's enforcement see modes: Error is deny, Warn is warn, None is audit.",
  },
);

export const policySchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: schemaUrl('policy.schema.json'),
  title: 'olm-guard policy',
  description: 'What the gate denies, warns about and lets pass.',
  ...closed(
    {
      apiVersion: { const: 'olm-guard.io/v1alpha1' },
      kind: { const: 'Policy' },
      profile: { description: 'The rules for CustomResourceDefinitions.', enum: profiles },
      enforce: {
        description:
          'all: deny everything that the profile refuses. proven: deny what is shown to break objects, to lose data or to make appliers conflict, even if the profile allows it; warn about what is shown to do no harm, even if the profile refuses it. stuck: like proven, but deny breakage only if stored objects can no longer be updated.',
        enum: enforcements,
      },
      crdify: {
        anyOf: [
          crdifyOptionsSchema,
          {
            description:
              'A configuration file of crdify in the repository, from the folder of this file; only commands read it. crdify.yaml beside .olm-guard.yaml counts without being named.',
            ...string,
          },
        ],
      },
      undecided: {
        description:
          "What to do about changes for which neither harm nor safety is shown. rule (default): what the profile's rule says. warn: warn, except where no proof could be looked for. deny: deny.",
        enum: undecidedChoices,
      },
      unjudged: {
        description:
          'What to do with requests that the gate has not the time, the capacity or the rights to judge.',
        enum: ['allow', 'deny'],
      },
      ratchet: {
        description: 'true: findings that the old object already has are tolerated.',
        type: 'boolean',
      },
      kubernetes: {
        description:
          'Kubernetes minors against which check crd and check bundle validate a definition: 1.30..1.36, 1.33+, cluster or a list. By default the newest denies and older ones warn. From 1.36 on, the proof takes into account that number formats (int32, float) limit values.',
        type: 'string',
      },
      old: {
        description:
          'What check crd NEW compares with: git:REF (each path at that commit; default git:origin/main), or any OLD.',
        ...string,
      },
      paths: strings(
        'What check crd compares where nothing is named; from the folder of this file.',
      ),
      modes: {
        description: `Per check family (${families.join(', ')}), rule, or kind of harm that is only warned of (${mildHarms.join(', ')}); a rule's own wins over its family's.`,
        type: 'object',
        additionalProperties: { enum: modes },
      },
      promises: {
        description:
          'What the API promises where: the first entry that matches a finding decides its mode. A finding about several versions or paths takes the strictest of their entries; what Kubernetes itself refuses stays denied.',
        type: 'array',
        maxItems: 100,
        items: closed(
          {
            versions: globs('Names of versions; * stands for any run of characters.'),
            paths: globs(
              'Paths of fields; each covers what is beneath it. * stands for characters of one step, ** for any number of steps.',
            ),
            rules: strings('Names of rules, or of changes such as MinimumRaised.'),
            deprecated: {
              description: 'Only places whose old description begins with "Deprecated".',
              const: true,
            },
            branches: globs(
              'Names of the branch that a change is for; * stands for any run of characters. Only commands know it, not the gate.',
            ),
            mode: {
              description:
                'deny, warn or audit as in modes; frozen: any change but of descriptions is denied.',
              enum: promiseModes,
            },
          },
          {
            required: ['mode'],
            anyOf: ['versions', 'paths', 'rules', 'deprecated', 'branches'].map((name) => ({
              required: [name],
            })),
          },
        ),
      },
      exemptions: {
        description:
          'Known and accepted findings; a finding is exempt if it matches every list that is given.',
        type: 'array',
        items: closed(
          {
            families: strings('Check families.'),
            groups: strings('Whole API groups; * stands for any run of characters.'),
            names: strings('Whole names of objects; * stands for any run of characters.'),
            rules: strings('Names of rules, or of changes such as MinimumRaised.'),
            paths: strings('Paths in the notation of the rule; each covers what is beneath it.'),
            reason: {
              description: 'Why no object or client is affected.',
              ...string,
              not: { pattern: toFillIn },
            },
            until: {
              description:
                'When the exemption expires: a date (midnight UTC) or a time in RFC 3339.',
              ...string,
            },
          },
          {
            anyOf: ['families', 'groups', 'names', 'rules', 'paths'].map((name) => ({
              required: [name],
            })),
          },
        ),
      },
      bypass: closed({
        allowed: { description: 'Whether switch-offs on objects count at all.', type: 'boolean' },
        sources: {
          description: 'Kinds of objects on which a switch-off counts.',
          type: 'array',
          items: { enum: bypassSources },
        },
        clusterWide: {
          description:
            'Whether an OperatorGroup, ClusterServiceVersion or Subscription may switch off rules that protect other namespaces.',
          type: 'boolean',
        },
        groups: {
          description: 'User groups whose members may set a switch-off; everybody if empty.',
          type: 'array',
          items: string,
        },
        managers: {
          description:
            'Field managers, such as those of Argo CD and Flux, that may set a switch-off together with other fields, and the users or groups that may do so under each name.',
          type: 'array',
          items: closed(
            {
              name: { description: 'As in metadata.managedFields.', ...string },
              users: notEverybody('User names, such as system:serviceaccount:NAMESPACE:NAME.'),
              groups: notEverybody('Groups of users.'),
            },
            { required: ['name'], anyOf: [{ required: ['users'] }, { required: ['groups'] }] },
          ),
        },
      }),
      budgets: closed({
        storedObjectsSeconds: { type: 'number', minimum: 0 },
        conversionSeconds: { type: 'number', minimum: 0 },
        messageBytes: { type: 'integer', minimum: 1024, maximum: 1_048_576 },
        causes: { type: 'integer', minimum: 0, maximum: 10_000 },
        concurrentReviews: { type: 'integer', minimum: 1, maximum: 10_000 },
      }),
      trusted: closed({
        olmServiceAccounts: {
          description: 'system:serviceaccount:NAMESPACE:NAME of OLM itself.',
          type: 'array',
          items: string,
        },
      }),
    },
    { required: ['apiVersion', 'kind'] },
  ),
};
