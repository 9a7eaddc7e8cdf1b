/**
 * The rooms of src/, in the order in which a question passes through them: what each holds, and which
 * others it may import. `npm run lint` refuses any other import, and docs/architecture.md is made from it.
 */
const knowledge = [
  'crd',
  'proof',
  'definition',
  'olm',
  'catalogs',
  'resolver',
  'apiserver',
  'cel',
  'text',
];

export const rooms = [
  {
    name: 'doors',
    holds:
      'Everything that takes a question or gives an answer: the commands (`cli`), the HTTPS servers and worker threads (`server`), AdmissionReviews (`admission`), NDJSON and OpenAPI (`preflight`), what is printed (`report`) and counted (`metrics`).',
    imports: ['operations', 'check', 'rules', 'facts', ...knowledge],
  },
  {
    name: 'operations',
    holds:
      'The table of questions that any program may ask: a JSON Schema for the input and a pure judge.',
    imports: ['rules', ...knowledge],
  },
  {
    name: 'check',
    holds:
      'The one way from findings to a verdict: the policy file, modes, exemptions, switch-offs, the ratchet and what is never denied; and rules asked about an object or a whole cluster.',
    imports: ['rules', 'facts', ...knowledge],
  },
  {
    name: 'rules',
    holds:
      'Every rule: one object each, with what it looks for, why, an example, and what to do instead.',
    imports: [...knowledge],
  },
  {
    name: 'facts',
    holds:
      'What is known of the world: a cluster, read live or from a folder (`cluster`), the state of OLM on it (`olm-state`), and catalogs (`catalog-sources`).',
    imports: ['olm', 'catalogs', 'text'],
  },
  {
    name: 'proof',
    holds:
      'Whether an upgrade of a schema breaks an object: the object that shows it, or a proof that none does; and the fixes.',
    imports: ['crd', 'apiserver', 'cel', 'text'],
  },
  {
    name: 'crd',
    holds:
      'CustomResourceDefinitions: their schemas, where two of them differ, and which stored objects that concerns.',
    imports: ['apiserver', 'cel', 'text'],
  },
  {
    name: 'definition',
    holds:
      'What API servers of each minor say to a CustomResourceDefinition itself: names, schemas, defaults, expressions and their costs; and how large it is.',
    imports: ['apiserver', 'cel', 'text'],
  },
  {
    name: 'apiserver',
    holds:
      'What an API server does to a custom resource: prune, default, validate, in its own words.',
    imports: ['cel', 'text'],
  },
  {
    name: 'cel',
    holds: 'The Common Expression Language: parse, check, evaluate, with the errors of cel-go.',
    imports: ['text'],
  },
  {
    name: 'resolver',
    holds: 'What OLM classic would install in a namespace, and why.',
    imports: ['catalogs', 'cel', 'text'],
  },
  {
    name: 'olm',
    holds: "OLM's objects as rules read them, and OperatorGroups: targets, members, roles, copies.",
    imports: ['catalogs', 'resolver', 'text'],
  },
  {
    name: 'catalogs',
    holds:
      'File-based catalogs and package manifests, as opm reads them, and the updates they offer (`upgrades`).',
    imports: ['text'],
  },
  {
    name: 'text',
    holds:
      'Text in and out: JSON and YAML with positions (`documents`), what Go prints and orders (`go`), version ranges (`versions`).',
    imports: [],
  },
];
