/** `olm-guard check operatorgroup FILE`: what the gate would say to groups before they are applied. */
import { Command } from 'commander';
import {
  type Document,
  inNamespace,
  invalidInput,
  isObject,
  type JsonObject,
  type ListedObject,
  metaOf,
  objectsOf,
  own,
  parseDocuments,
  parsePath,
} from '../../text/documents/index.js';
import {
  judgeOlmObject,
  type OlmAnswer,
  type OlmQuestion,
  meantNamespace,
  withMeantName,
} from '../../checks/index.js';
import type { Finding } from '../../rule/index.js';
import type { OlmState } from '../../cluster/index.js';
import { check, type Policy } from '../../policy/index.js';
import { type CheckResult, formats, render, renderSections } from '../../report/index.js';
import { withDefaultCluster } from '../options/cluster-option.js';
import { openState, type SourceOptions } from '../options/olm-source.js';
import { effectSections, effectsOfGroup, type GroupEffects } from './group-effects.js';
import { loadPolicy } from '../options/policy-option.js';
import { formOf, print, printError } from '../output.js';
import { suggestCommand } from '../options/suggest-command.js';
import { readSourceWithWarnings } from '../options/skipped-files.js';
import { sourceFlags } from '../options/olm-source.js';
import { flags, withFlags } from '../options/flags.js';

interface Options extends SourceOptions {
  readonly explain?: true;
  readonly policy?: string;
  readonly output: string;
}

const group = 'operators.coreos.com';

export function checkOperatorGroupCommand(): Command {
  const command = new Command('operatorgroup').description(
    'judge OperatorGroups against what is on a cluster or in a folder',
  );
  return withFlags(command, {
    '<file>': 'file, folder, git:REF:path or - (standard input) with the groups',
    ...sourceFlags,
    '--explain':
      'also report how OLM handles each group: targets, members, ClusterRoles, copies, operators that recover',
    ...flags.webhookPolicy,
    ...flags.output(formats),
  }).action(run);
}

async function run(source: string, options: Options): Promise<void> {
  const policy = await loadPolicy(options.policy);
  const files = await readSourceWithWarnings(source);
  const documents = files
    .flatMap(({ file, bytes }) => parseDocuments(bytes, { file }))
    .flatMap((document) => [...objectsOf(document.value)].map((each) => ({ document, ...each })));
  const groups = documents.filter(isOperatorGroup);
  if (groups.length === 0) {
    const message = `holds no OperatorGroup${suggestCommand(documents, 'check operatorgroup')}`;
    throw invalidInput(message, { file: source });
  }
  const state = await openState(withDefaultCluster(options), { watch: false });
  try {
    const isAlone = rivals.every((kind) => state.count(kind) === 0);
    if (options.state !== undefined && isAlone) {
      printError(
        `olm-guard: ${options.state} holds no Namespace, OperatorGroup or ClusterServiceVersion: groups are judged as the only ones`,
      );
    }
    const results: CheckResult[] = [];
    const effects = new Map<string, GroupEffects>();
    for (const document of groups) {
      const result = await checkGroup(document, state, policy);
      if (options.explain !== true) {
        results.push(result);
        continue;
      }
      const output = await effectsOfGroup(state, objectOf(document));
      effects.set(result.name, output);
      results.push({ ...result, output });
    }
    const denied = results.filter(({ verdict }) => !verdict.allowed).length;
    const counts = {
      allowed: results.length - denied,
      denied,
      otherDocuments: documents.length - groups.length,
    };
    const report = { subject: 'OperatorGroups', results, counts };
    const effectText =
      options.output === 'text' && effects.size > 0
        ? `\n${renderSections([...effects].flatMap(([name, each]) => effectSections(name, each)))}`
        : '';
    await print(`${await render(report, options.output)}${effectText}`, formOf(options.output));
    process.exitCode = denied === 0 ? 0 : 1;
  } finally {
    await state.close();
  }
}

/** Kinds without which no group can be in the way of another. */
const rivals = ['Namespace', 'OperatorGroup', 'ClusterServiceVersion'];

type FoundObject = ListedObject & { readonly document: Document };
type GroupDocument = FoundObject & { readonly value: JsonObject };

function isOperatorGroup(found: FoundObject): found is GroupDocument {
  const { value } = found;
  if (!isObject(value) || own(value, 'kind') !== 'OperatorGroup') return false;
  const apiVersion = own(value, 'apiVersion');
  return typeof apiVersion === 'string' && apiVersion.startsWith(`${group}/`);
}

function objectOf({ value }: GroupDocument): JsonObject {
  return inNamespace(value, metaOf(value).namespace || 'default');
}

async function checkGroup(
  found: GroupDocument,
  state: OlmState,
  policy: Policy,
): Promise<CheckResult> {
  const object = objectOf(found);
  const { name, namespace } = metaOf(object);
  const resource = { group, resource: 'operatorgroups' };
  const oldObject = (await state.cluster.get(resource, name, namespace)) ?? null;
  const options = { policy, purpose: 'review' } as const;
  const kind = 'OperatorGroup';
  const judge = async (question: OlmQuestion): Promise<OlmAnswer> => {
    const answer = await judgeOlmObject(state, question, options);
    const named = (finding: Finding) => withMeantName(finding, question.object, state);
    return { ...answer, findings: answer.findings.map(named) };
  };
  const request = oldObject === null ? 'CREATE' : 'UPDATE';
  const { findings, unchecked } = await judge({ kind, request, object, oldObject });
  const { verdict } = await check(
    {
      subject: { groups: [group], name },
      findings,
      previous: async () => {
        if (oldObject === null) return [];
        const unchanged = { kind, request: 'UPDATE', object: oldObject, oldObject } as const;
        return (await judge(unchanged)).findings;
      },
      request: { object, oldObject: oldObject ?? undefined },
      unchecked,
    },
    policy,
    { view: state.cluster },
  );
  const meant = meantNamespace(namespace, state);
  const nowhere = meant === '' ? [] : [`there is no namespace "${namespace}"${meant}`];
  return {
    name: `${namespace}/${name}`,
    verdict: { ...verdict, warnings: [...verdict.warnings, ...nowhere] },
    output: {},
    places: verdict.findings.map(({ path }) =>
      found.document.placeOf([...found.path, ...parsePath(path ?? '$')]),
    ),
  };
}
