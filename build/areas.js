/**
 * The areas of src/ and their folders, in the order in which a question passes through them: what each
 * holds, what comes in, what goes out, and which other areas it may import, by their index.ts alone.
 * Within an area a folder imports only folders that stand below it here. `npm run lint` refuses any other
 * import; docs/architecture.md and the README.md of each folder are made from this table.
 */
export const areas = [
  {
    name: 'cli',
    holds:
      'What a user starts: a file or a folder for each command, and the options that several share.',
    takes: 'The arguments, the environment, and what they name: files, commits, a cluster.',
    gives:
      'A report on standard output, what went wrong on standard error, and the exit code: 0 fine, 1 found something, 2 could not tell.',
    begin: ['main.ts', 'commands.ts', 'check/check-crd.ts'],
    imports: [
      'gate',
      'checks',
      'report',
      'policy',
      'cluster',
      'repository',
      'olm',
      'upgrade',
      'kubernetes',
      'rule',
      'text',
    ],
    folders: [
      {
        name: 'serve',
        holds:
          'What runs until it is stopped (`serve`, `sidecar`, `demo`), and what looks whether it can (`doctor`, `serve --check`).',
        takes: 'Options, a policy, certificates, a cluster.',
        gives: 'A running gate or sidecar; or what is missing for it.',
        begin: ['serve.ts', 'serving.ts', 'installation.ts'],
      },
      {
        name: 'plan',
        holds: '`plan`: one page before an upgrade.',
        takes: 'Two releases of manifests, or a package and its catalogs; a cluster or its files.',
        gives: 'The steps, the obstacles, and the commands for each, in order.',
        begin: ['plan.ts', 'plan-package.ts', 'plan-step.ts'],
      },
      {
        name: 'lsp',
        holds: '`lsp`: what the checks find, in an editor, as a text is typed.',
        takes: 'Messages of the Language Server Protocol; the policy and commits as `check crd`.',
        gives: 'Diagnostics, the rule on hover, fixes and exemptions as code actions.',
        begin: ['server.ts', 'workspace.ts'],
      },
      {
        name: 'resolve',
        holds: '`resolve`: what OLM will do in a namespace.',
      },
      {
        name: 'check',
        holds: '`check`: definitions, bundles and OperatorGroups before they are applied.',
        takes: 'What stands in files, commits or a cluster: old and new.',
        gives:
          'The verdict of the gate, with each finding at its line; changed files with `--fix`.',
        begin: ['check-crd.ts', 'check-objects.ts', 'check-bundle.ts'],
      },
      {
        name: 'catalog',
        holds: '`catalog`: a file for each question about catalogs.',
      },
      {
        name: 'mcp',
        holds:
          'The table of operations as tools of an agent (Model Context Protocol), with rules and pages as resources.',
        takes: 'Messages, one a line, and the sources that the command line named.',
        gives: 'Answers of bounded length.',
        begin: ['server.ts'],
      },
      {
        name: 'options',
        holds: 'Options that several commands take, and the reading of what they name.',
        takes: 'Words of a command line.',
        gives: 'Definitions, catalogs, states of OLM and policies, with the place of each error.',
        begin: ['crd-source.ts', 'policy-option.ts', 'flags.ts'],
      },
    ],
  },
  {
    name: 'gate',
    holds:
      'The admission webhook and the sidecar as processes: connections, threads, AdmissionReviews, metrics; and the policies that an API server enforces by itself.',
    takes: 'HTTPS connections, the policy file, certificates, a view of the cluster.',
    gives: 'AdmissionReview responses and answers of operations, in time; metrics; a log.',
    begin: ['server/gate.ts', 'admission/reviewers.ts'],
    imports: [
      'checks',
      'policy',
      'cluster',
      'repository',
      'olm',
      'upgrade',
      'kubernetes',
      'rule',
      'text',
    ],
    folders: [
      {
        name: 'server',
        holds:
          'The gate and the sidecar as processes: connections, memory, turns, deadlines, threads, certificates, shutdown.',
        takes:
          'Bytes of HTTPS connections; the policy file and certificates, read again when they change.',
        gives:
          'An answer to every review, in time and within the memory of the container; metrics and a log.',
        begin: ['gate.ts', 'answer-review.ts', 'judge-pool.ts'],
        folders: [
          {
            name: 'certificates',
            holds:
              'Certificates: made by the gate itself or read from files, and who signed a client’s.',
          },
        ],
      },
      {
        name: 'admission',
        holds:
          'AdmissionReviews: one reviewer for each kind of resource, and what an answer may tell to whom.',
        takes: 'An admission request, the policy, and a view of the cluster.',
        gives:
          'The AdmissionReview response: findings as a denial or as warnings, bounded in number and size.',
        begin: ['reviewers.ts', 'review.ts', 'reviewer.ts'],
      },
      {
        name: 'metrics',
        holds: 'What the gate and the sidecar count.',
        takes: 'Verdicts, reviews, scans, changes of the state of OLM.',
        gives: 'Metrics of Prometheus, whose names and labels dashboards rely on.',
        begin: ['own-metrics.ts', 'switch-offs.ts'],
        folders: [
          {
            name: 'olm',
            holds: 'OLM’s own metrics, from the objects that the gate follows.',
            takes: 'Changes of the state of OLM.',
            gives: 'The families that OLM’s operators export, with OLM’s names, labels and values.',
            begin: ['olm-metrics.ts', 'families.ts'],
          },
        ],
      },
      {
        name: 'policy-sync',
        holds:
          'ValidatingAdmissionPolicies kept as the definitions of a cluster and their objects need them.',
        takes: 'A connection to an API server.',
        gives: 'Policies written and removed; which definitions are covered, and since when.',
        begin: ['sync.ts', 'coverage.ts'],
      },
      {
        name: 'admission-policy',
        holds: 'ValidatingAdmissionPolicies made from a definition and what its objects use.',
        takes: 'A definition, and objects where there are some.',
        gives: 'Policies and bindings, and what they do not cover.',
        begin: ['policy.ts', 'use.ts'],
      },
    ],
  },
  {
    name: 'checks',
    holds:
      'Each question with its answer: the table of operations, definitions and manifests as they are written, and whole clusters.',
    takes:
      'Inputs of operations, definitions and objects with their documents, the state of OLM, and the policy.',
    gives: 'Findings and verdicts.',
    begin: ['operations/table.ts', 'diagnosis/check-pair.ts', 'cluster-scan/scan.ts'],
    imports: [
      'report',
      'policy',
      'cluster',
      'repository',
      'olm',
      'upgrade',
      'kubernetes',
      'cel',
      'rule',
      'text',
    ],
    folders: [
      {
        name: 'preflight',
        holds:
          'The table of operations for other programs: NDJSON, and the OpenAPI document of the HTTP interface.',
      },
      {
        name: 'library',
        holds:
          'What other programs import, in Node and in browsers: a file for each entry of the package.',
        takes: 'Values as JSON.parse gives them.',
        gives: 'The answer of an operation, with types.',
        begin: ['upgrades.ts', 'operations.ts'],
      },
      {
        name: 'diagnosis',
        holds:
          'Definitions and objects as they are written, judged and decided as at the gate: for `check`, an editor and the page.',
        takes: 'Definitions with their documents, the policy, and what stands around them.',
        gives:
          'Results whose findings have a place, and texts that break nothing. It reads no file.',
        begin: ['check-pair.ts', 'diagnose.ts', 'pair-judgement.ts'],
      },
      {
        name: 'operations',
        holds:
          'The table of questions that any program may ask: a JSON Schema for the input and a pure judge.',
        takes: 'The name of an operation and its input as JSON.',
        gives: 'Its answer as JSON, or an error with a code and a place.',
        begin: ['table.ts', 'operation.ts', 'answer.ts'],
      },
      {
        name: 'cluster-scan',
        holds: 'Rules asked about one object of OLM, and about a whole cluster.',
        takes: 'A view of a cluster, the state of OLM, and the policy.',
        gives: 'Findings; what could not be read is reported as such.',
        begin: ['scan.ts', 'olm-object.ts'],
      },
    ],
  },
  {
    name: 'report',
    holds: 'How results are shown: text, JSON, SARIF, JUnit, GitHub’s annotations, Markdown, HTML.',
    takes: 'The verdicts of a check, and where each finding stands in its document.',
    gives: 'Text, each value on one line and of bounded length.',
    begin: ['check-report.ts', 'render.ts'],
    imports: ['policy', 'cluster', 'repository', 'olm', 'upgrade', 'rule', 'text'],
    folders: [
      {
        name: 'upgrade-plan',
        holds: 'The page before an upgrade, as text, Markdown and HTML.',
      },
      {
        name: 'page',
        holds: 'A check as one HTML page that loads nothing.',
      },
      {
        name: 'graph',
        holds: 'Update graphs as text, SVG and JSON.',
        takes: 'The graph of a package, from `catalogs/upgrades`.',
        gives: 'One document in the format that was asked for.',
        begin: ['index.ts', 'layout.ts'],
      },
    ],
  },
  {
    name: 'policy',
    holds:
      'The one way from findings to a verdict: the policy file, modes, exemptions, switch-offs, the ratchet and what is never denied.',
    takes: 'Findings, the policy, and facts of the object and the cluster.',
    gives:
      'A verdict: what is denied, what is warned of, what a switch-off or an exemption lets pass, and why.',
    begin: ['check.ts', 'decide.ts', 'policy.ts'],
    imports: ['cluster', 'olm', 'upgrade', 'kubernetes', 'rule', 'text'],
    folders: [
      {
        name: 'rules',
        holds: 'The registry: all rules of all areas in one table, and the page of each.',
        takes: 'The rules of the areas `upgrade` and `olm`.',
        gives: 'A rule by its name; its page for docs and `explain`.',
        begin: ['registry.ts', 'page.ts'],
      },
    ],
  },
  {
    name: 'cluster',
    holds:
      'A cluster, read live or from a folder, the state of OLM on it, and the migration of its stored objects.',
    takes: 'A kubeconfig or a pod’s credentials, or a folder of YAML.',
    gives: 'Objects, as they are and as they change; what cannot be read is unknown, never empty.',
    begin: ['view/view.ts', 'olm-state/olm-state.ts'],
    imports: ['olm', 'upgrade', 'kubernetes', 'rule', 'text'],
    folders: [
      {
        name: 'migration',
        holds:
          'The migration of stored objects to their storage version: planned, run with a checkpoint, verified.',
        takes: 'A connection to an API server, the name of a definition, and a pace.',
        gives:
          'Objects written once each as they were read, with their managedFields moved; what could not be written, with the server’s reason.',
        begin: ['index.ts', 'run.ts', 'rewrite.ts', 'managed-fields.ts'],
      },
      {
        name: 'converter',
        holds:
          'Conversion webhooks: over HTTPS, through the API server’s proxy, and the Service behind them.',
        takes: 'An address or a Service, and limits of time and size.',
        gives: 'The answer to a ConversionReview, or why there is none.',
        begin: ['https.ts', 'service.ts'],
      },
      {
        name: 'conversion',
        holds:
          'The conversion between the versions of a definition, as a black box: what API servers ask of it, and what a round trip shows.',
        takes: 'A definition, objects, and a function that puts a ConversionReview to a converter.',
        gives: 'Faults, each with the clause that is broken and the smallest object that shows it.',
        begin: ['round-trip.ts', 'review.ts'],
      },
      {
        name: 'olm-state',
        holds: 'The state of OLM, kept current.',
        takes: 'Lists and watches of a cluster, or a folder.',
        gives: 'Indexes of OLM’s objects, and word of each change.',
        begin: ['olm-state.ts', 'live-state.ts', 'kinds.ts'],
      },
      {
        name: 'view',
        holds: 'A cluster, live or as a folder of YAML: read once, in pages, or followed.',
        takes: 'Credentials, or a folder.',
        gives:
          'Objects in the shape that the API server serves; a `ClusterError` that says what to do.',
        begin: ['view.ts', 'live.ts', 'folder.ts', 'reflector.ts'],
      },
    ],
  },
  {
    name: 'repository',
    holds:
      'What Git would apply: manifests of kustomizations, charts and bundles, and catalogs, from files, folders and commits.',
    takes: 'The name of a file, a folder, a commit or a catalog.',
    gives:
      'Files as they are applied, with the place where each value is written; catalogs as they are, and as they change.',
    begin: ['manifests/manifest-objects.ts', 'catalog-sources/source.ts'],
    imports: ['olm', 'upgrade', 'kubernetes', 'rule', 'text'],
    folders: [
      {
        name: 'manifests',
        holds: 'The manifests that a repository stands for: kustomizations, charts, bundles.',
        takes: 'A file, a folder or a commit, and the programs that render what is in it.',
        gives:
          'Files as they are applied, by kubectl, Argo CD or Flux, and where each value of them is written.',
        begin: ['manifest-objects.ts', 'applied-files.ts', 'rendered-folder.ts', 'manifests.ts'],
      },
      {
        name: 'catalog-sources',
        holds: 'Where catalogs come from: folders, files, commits, catalogd.',
        takes: 'The name of a source.',
        gives: 'The catalog that is there, and again whenever it changes.',
        begin: ['source.ts', 'followed-catalogs.ts'],
      },
    ],
  },
  {
    name: 'olm',
    holds:
      'OLM: its objects, OperatorGroups, catalogs, bundles and the resolver; and the rules about them.',
    takes: 'Objects of OLM, catalogs and bundles as decoded values.',
    gives: 'What OLM would do, with OLM’s messages; findings.',
    begin: ['index.ts', 'rules/objects/table.ts', 'catalogs/catalog.ts', 'resolver/resolve.ts'],
    imports: ['upgrade', 'kubernetes', 'rule', 'cel', 'text'],
    folders: [
      {
        name: 'rules',
        holds: 'The rules about OLM’s objects, bundles, catalogs and whole clusters.',
        folders: [
          {
            name: 'objects',
            holds:
              'OLM’s objects, one folder for each kind; `table.ts` has the order in which the rules are asked.',
            takes: 'An object of OLM before and after, and a view of what OLM knows.',
            gives: 'Findings, and what could not be looked up.',
            begin: ['table.ts', 'rule.ts'],
            folders: [
              {
                name: 'catalog-source',
                holds: 'CatalogSources.',
              },
              {
                name: 'cluster-extension',
                holds: 'ClusterExtensions of OLM v1.',
                takes: 'A ClusterExtension before and after, and the catalogs that are known.',
                gives: 'Findings about what OLM v1 would choose, and what it would refuse.',
                begin: ['extension-request.ts', 'extension-path.ts'],
              },
              {
                name: 'cluster-service-version',
                holds:
                  'ClusterServiceVersions: groups, APIs, install modes, webhooks, permissions.',
                takes: 'A ClusterServiceVersion before and after, and a view of what OLM knows.',
                gives: 'Findings about what OLM would make of it.',
                begin: ['table.ts', 'csv-review.ts'],
              },
              {
                name: 'cluster-version',
                holds:
                  'OpenShift’s ClusterVersion: operators that stand in the way of its next minor.',
              },
              {
                name: 'install-plan',
                holds: 'InstallPlans: what approving one would install.',
              },
              {
                name: 'operator-group',
                holds: 'OperatorGroups: targets, intersections, roles, members.',
                takes: 'An OperatorGroup before and after, and a view of what OLM knows.',
                gives: 'Findings about what OLM would make of it.',
                begin: ['group-review.ts', 'group-failures.ts'],
              },
              {
                name: 'subscription',
                holds: 'Subscriptions: package, channel, approval, catalog.',
                takes:
                  'A Subscription before and after, the catalogs that are known, and a view of what OLM knows.',
                gives: 'Findings about what OLM would install, and what stands in its way.',
                begin: ['subscribed-package.ts', 'subscription-package.ts'],
              },
            ],
          },
          {
            name: 'bundle',
            holds:
              'A registry+v1 bundle before it is published: alone, and beside the one that it replaces.',
            takes: 'The files of a bundle.',
            gives: 'Findings, each with its file and place.',
            begin: ['index.ts', 'rules.ts', 'lint-rules.ts'],
          },
          {
            name: 'catalog',
            holds: 'A catalog by itself: opm’s complaints, and what opm never checks.',
          },
          {
            name: 'catalog-diff',
            holds: 'What a new catalog takes away from those who have installed from the old one.',
            takes: 'Two catalogs.',
            gives: 'Findings about updates, channels, bundles and definitions.',
            begin: ['rules.ts', 'catalog-diff.ts'],
          },
          {
            name: 'resolution',
            holds: 'What a resolution can be blamed for.',
          },
          {
            name: 'cluster',
            holds: 'A cluster as a whole: what no single object shows.',
            takes: 'The state of OLM, and the policy.',
            gives: 'Findings for a scan.',
            begin: ['table.ts', 'rule.ts'],
          },
        ],
      },
      {
        name: 'objects',
        holds: 'OLM’s objects as rules read them, and indexes over all of them.',
        takes: 'Objects of OLM as decoded JSON.',
        gives: 'The fields that rules read, and indexes over all objects.',
        begin: ['view.ts', 'indexed-view.ts'],
      },
      {
        name: 'operator-groups',
        holds:
          'What OLM does with OperatorGroups: target namespaces, intersections, members, roles, copied ClusterServiceVersions.',
        takes: 'Groups, namespaces, and the ClusterServiceVersions in them.',
        gives: 'What OLM’s next sync would write, and its messages.',
        begin: ['group-sync.ts', 'surface.ts', 'intersection.ts', 'membership.ts'],
      },
      {
        name: 'resolver',
        holds: 'What OLM classic would install in a namespace, and why.',
        takes: 'The state of a namespace, and catalogs.',
        gives:
          'The operators of the next InstallPlan, or the constraints that conflict, with the smallest changes that mend it.',
        begin: ['resolve.ts', 'problem.ts', 'solver.ts'],
      },
      {
        name: 'catalogs',
        holds:
          'File-based catalogs and package manifests, as opm reads them, and the updates they offer (`upgrades`).',
        takes: 'The files of a catalog.',
        gives: 'A catalog as plain data, with opm’s errors; its packages and channels.',
        begin: ['catalog.ts', 'load.ts', 'validate.ts'],
        folders: [
          {
            name: 'upgrades',
            holds:
              'The updates that a catalog offers: to OLM classic, to OLM v1, and as OpenShift’s documentation says.',
            takes: 'A package of a catalog, and the version that is installed.',
            gives:
              'Paths step by step with the reason of each, dead ends, and the graph for pictures.',
            begin: ['explain-paths.ts', 'graph.ts'],
          },
        ],
      },
    ],
  },
  {
    name: 'upgrade',
    holds:
      'The upgrade of a CustomResourceDefinition: what changes, whom it harms, the proof and the fixes; and the rules about it.',
    takes:
      'The definition before and after, and where there are any, stored objects and a converter.',
    gives: 'Findings, each with its place, its proof and its fix.',
    begin: ['index.ts', 'judge/judge.ts', 'proof/index.ts'],
    imports: ['kubernetes', 'rule', 'cel', 'text'],
    folders: [
      {
        name: 'judge',
        holds: 'The one judge of the upgrade of a definition, for every entry point.',
      },
      {
        name: 'rules',
        holds: 'The rules about a definition and its upgrade.',
        folders: [
          {
            name: 'crd',
            holds:
              'CRD upgrade safety as its references have it: profiles `olm-v1`, `crdify` and `proof`.',
            takes: 'An upgrade: the definition before and after.',
            gives: 'What the reference would say, and what each finding does to objects.',
            begin: ['table.ts', 'profiles.ts', 'effects.ts'],
          },
          {
            name: 'contract',
            holds:
              'What a definition promises beside its stored objects: to clients, server-side apply, readers and tables.',
            takes: 'An upgrade: the definition before and after.',
            gives: 'Findings with the requests that show them.',
            begin: ['table.ts', 'rule.ts', 'judge.ts'],
          },
          {
            name: 'chart',
            holds: 'Helm charts: what an upgrade, a rollback or an uninstall does to definitions.',
            takes: 'What the old and the new chart render to.',
            gives: 'Findings, each with the object that it is about and the place in it.',
            begin: ['judge.ts', 'rules.ts'],
          },
          {
            name: 'objects',
            holds: 'Manifests of custom resources under their definition, before they are applied.',
            takes:
              'An object and the definition of its kind, with the one before it where there is one.',
            gives:
              'What the API server would refuse, and what it would drop, with the place in the object.',
            begin: ['judge.ts', 'rules.ts'],
          },
          {
            name: 'stored',
            holds:
              'What an upgrade does to the objects that a cluster has stored, and to their versions.',
            takes:
              'What the folder `crd/stored` has counted, and what the gate has found of owners.',
            gives: 'Findings about stored objects.',
            begin: ['rules.ts', 'findings.ts'],
          },
          {
            name: 'consumers',
            holds: 'Consumers, which rely on a definition without owning it, and what they lose.',
            takes: 'A definition before and after, and what others need of it.',
            gives:
              'Findings that name who would break, and for which version, field or subresource.',
            begin: ['judge.ts', 'rules.ts'],
          },
          {
            name: 'conversion',
            holds:
              'The conversion between versions: whether it can be reached, and keeps what it is given.',
            takes: 'Faults of a converter, or a definition without one.',
            gives: 'Findings, with or without what the converter said.',
            begin: ['findings.ts', 'rules.ts'],
          },
          {
            name: 'definition',
            holds: 'What API servers refuse in a definition by itself, and how large it is.',
            takes: 'What the folder `kubernetes/definition` says for each minor.',
            gives: 'Findings, with what an expression costs and how to bring it under its limit.',
            begin: ['rules.ts', 'judge.ts', 'findings.ts'],
          },
        ],
      },
      {
        name: 'proof',
        holds:
          'Whether an upgrade of a schema breaks an object: the object that shows it, or a proof that none does; and the fixes.',
        takes: 'An upgrade: the definition before and after, and a budget.',
        gives:
          'For each difference a witness, a proof that none exists, or that it is undecided; and changes that mend it.',
        begin: ['proof.ts', 'differences/walk.ts', 'search/search.ts', 'search/trial.ts'],
        folders: [
          {
            name: 'differences',
            holds:
              'Where two schemas differ, keyword by keyword, and what of it is safe by what the keyword means.',
            takes: 'The schemas of a version before and after.',
            gives:
              'Differences: safe with the reason, or open with the values that might show the harm.',
            begin: ['walk.ts', 'difference.ts', 'pair.ts'],
          },
          {
            name: 'values',
            holds: 'Values made up to a schema: what it accepts, and what lies close to its rules.',
            takes: 'A schema, what must stand at some place (`pin.ts`), and a budget.',
            gives:
              'Values, likeliest first; where a rule is followed by cases, all that can break it.',
            begin: ['sampler.ts', 'rule-samples.ts', 'cases/rule-cases.ts'],
            folders: [
              {
                name: 'cases',
                holds:
                  'Rules followed case by case: what holds where, and which values break a rule.',
                takes: 'A rule, the schemas at its place, and rules that hold already.',
                gives: 'Whether the rule always holds, or else pins of values that may break it.',
                begin: ['rule-cases.ts', 'cases.ts', 'facts.ts'],
              },
            ],
          },
          {
            name: 'search',
            holds: 'The search for a witness: objects put to both schemas as an API server would.',
            takes: 'An open difference, and the two compiled definitions.',
            gives: 'The smallest object that comes to harm by this difference, checked once more.',
            begin: ['search.ts', 'trial.ts', 'isolation.ts'],
          },
          {
            name: 'fixes',
            holds: 'Changes of the new definition after which no object breaks.',
          },
        ],
      },
      {
        name: 'crd',
        holds:
          'CustomResourceDefinitions: their schemas, where two of them differ, and which stored objects that concerns.',
        takes: 'Definitions as decoded JSON.',
        gives: 'An `Upgrade` with each comparison made once; differences with their paths.',
        begin: ['upgrade.ts', 'schema.ts', 'difference.ts'],
        folders: [
          {
            name: 'classic',
            holds: 'What OLM classic does with a definition that exists already.',
          },
          {
            name: 'stored',
            holds:
              'What an upgrade does to stored objects: which are concerned, which break, who wrote them.',
            takes: 'An upgrade and pages of objects.',
            gives: 'Counts and examples by what happens to them.',
            begin: ['plan.ts', 'judge.ts'],
          },
        ],
      },
    ],
  },
  {
    name: 'kubernetes',
    holds:
      'What API servers say: to a CustomResourceDefinition (`definition`), and to its objects (`apiserver`), in their own words; and the definitions that controllers make of other objects (`sources`).',
    takes: 'Definitions and objects as decoded JSON, and minors of Kubernetes.',
    gives: 'The errors of each minor’s API server, and objects as they would be stored.',
    begin: ['index.ts', 'definition/judge.ts', 'apiserver/validator.ts'],
    imports: ['cel', 'text'],
    folders: [
      {
        name: 'definition',
        holds:
          'What API servers of each minor say to a CustomResourceDefinition itself: names, schemas, defaults, expressions and their costs; and how large it is.',
        takes: 'A definition, the one before it where there is one, and minors of Kubernetes.',
        gives: 'The errors of each minor’s API server with their fields; costs and sizes.',
        begin: ['judge.ts', 'validate.ts'],
      },
      {
        name: 'apiserver',
        holds:
          'What an API server does to a custom resource: prune, default, validate, in its own words.',
        takes: 'A definition, and objects before and after a write.',
        gives:
          'The object as it would be stored, or the causes of the refusal in the API server’s words.',
        begin: ['validator.ts', 'open-api.ts'],
        folders: [
          {
            name: 'rules',
            holds:
              '`x-kubernetes-validations`: compiled once for a schema, evaluated for each value they reach.',
            takes: 'The rules of a schema, and a value with the one before it.',
            gives: 'What a rule says, what it cost, or why it broke down.',
            begin: ['compile-rules.ts', 'rule.ts', 'from-json.ts'],
          },
        ],
      },
      {
        name: 'sources',
        holds:
          'Objects of which controllers make definitions (Crossplane, kro, kcp), and the definitions that they make; and those of JSON schemas.',
        takes: 'An object of any kind.',
        gives: 'The definitions made of it, and where in the object each part of them comes from.',
        begin: ['index.ts', 'crossplane.ts', 'kro.ts'],
      },
    ],
  },
  {
    name: 'rule',
    holds: 'What a rule is, and the finding in which every rule answers.',
    takes: 'Nothing: types, and the examples that several rules share.',
    gives: 'The shapes `Rule` and `Finding`.',
    begin: ['rule.ts', 'finding.ts'],
    imports: ['text'],
  },
  {
    name: 'cel',
    holds: 'The Common Expression Language: parse, check, evaluate, with the errors of cel-go.',
    takes: 'The text of an expression, a language, variables, and a budget.',
    gives: 'A value or an error in cel-go’s words; the type; what it can cost at most.',
    begin: ['index.ts', 'program.ts', 'plan.ts'],
    folders: [
      {
        name: 'syntax',
        holds: 'From text to a tree, with cel-go’s messages and positions.',
      },
      {
        name: 'library',
        holds: 'The functions: cel-go’s and Kubernetes’.',
        takes: 'Values of CEL.',
        gives: 'Overloads with their implementations, for a language to be made of.',
        begin: ['kubernetes.ts', 'operators.ts'],
      },
      {
        name: 'cost',
        holds: 'What an expression can cost at most.',
      },
    ],
    imports: ['text'],
  },
  {
    name: 'text',
    holds:
      'Text in and out: JSON and YAML with positions (`documents`), what Go prints and orders (`go`), version ranges (`versions`).',
    takes: 'Text and bytes.',
    gives: 'Values that lose nothing of what was written, with lines and columns.',
    begin: ['documents/index.ts', 'go/index.ts'],
    folders: [
      {
        name: 'documents',
        holds:
          'JSON and YAML as Kubernetes reads them, from files, folders, streams and commits; and written again.',
        takes: 'Text, or the name of a source.',
        gives:
          'Values (`value.ts`), with the position of each; an `InvalidInputError` with code and place.',
        begin: ['index.ts', 'value.ts', 'yaml.ts', 'json.ts'],
      },
      {
        name: 'formats',
        holds: 'The string formats that Kubernetes enforces.',
      },
      {
        name: 'go',
        holds: 'What Go prints, reads and orders in its own way.',
        takes: 'Texts and decoded values.',
        gives: 'Go’s text, or its error.',
        begin: ['index.ts'],
      },
      {
        name: 'regular',
        holds: 'RE2 patterns as automata.',
      },
      {
        name: 'versions',
        holds: 'Versions and ranges, as each part of OLM reads them.',
        takes: 'The text of a version or a range.',
        gives: 'A value to compare with, an explanation in words, or an `InvalidVersionError`.',
        begin: ['index.ts', 'version.ts'],
      },
    ],
    imports: [],
  },
];
