/** The JSON Schema of the policy file; schemas/policy.schema.json is this with the names of rules. */
import { families } from '../../rule/index.js';
import { schemaUrl } from '../../text/package.js';
import { bypassSources, enforcements, modes, profiles } from './policy.js';

const string = { type: 'string', minLength: 1 };
const strings = (description: string): object => ({
  description,
  type: 'array',
  minItems: 1,
  items: string,
});
const closed = (properties: object, more: object = {}): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
});

/** Any client can name itself after such a manager, so it must not be allowed to everybody. */
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

/** What `check crd --write-exemptions` writes in place of a reason. */
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
          'proven: deny only proven breakage and data loss of what the profile refuses, warn about the rest, and about what it allows although it is proven to break or lose objects. stuck: of the breakage deny only what leaves stored objects that cannot be updated.',
        enum: enforcements,
      },
      crdify: crdifyOptionsSchema,
      undecided: {
        description: 'What is done about findings that could be neither proven nor ruled out.',
        enum: ['warn', 'deny'],
      },
      unjudged: {
        description:
          'What is done about requests that the gate had not the time, the room or the right to judge.',
        enum: ['allow', 'deny'],
      },
      ratchet: {
        description: 'true: what the old object has already is not held against the request.',
        type: 'boolean',
      },
      kubernetes: {
        description:
          'Minors of Kubernetes that check crd and check bundle ask whether they take a definition: 1.30..1.36, 1.33+, cluster or a list. By default the newest denies and older ones warn. The proof counts formats of numbers (int32, float) where one of 1.36 or later is named, or is the cluster’s.',
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
        description: `Per check family (${families.join(', ')}) or rule; a rule's own wins.`,
        type: 'object',
        additionalProperties: { enum: modes },
      },
      exemptions: {
        description: 'Findings that are known and accepted; every list that is given must match.',
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
                'A date (its midnight in UTC) or RFC 3339; from then on the exemption does not count.',
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
          description: 'Where they may stand.',
          type: 'array',
          items: { enum: bypassSources },
        },
        clusterWide: {
          description:
            'Whether an OperatorGroup, ClusterServiceVersion or Subscription may switch off what protects other namespaces.',
          type: 'boolean',
        },
        groups: {
          description: 'Groups of users whose members may set one; everybody when empty.',
          type: 'array',
          items: string,
        },
        managers: {
          description:
            'Field managers, such as those of Argo CD and Flux, that may set one together with other fields; each with the users or groups that may do so under its name.',
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
