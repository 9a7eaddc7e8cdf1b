/** `olm-guard check chart OLD NEW`: what helm upgrade, rollback and uninstall do to definitions and their objects. */
import { Command } from 'commander';
import {
  isCustomResourceDefinition,
  judgeChart,
  type RenderedRelease,
} from '../../upgrade/index.js';
import { minorsByDefault } from '../../kubernetes/index.js';
import { invalidInput, metaOf, type JsonObject } from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';
import { append } from '../../text/long-lists.js';
import { foundAt } from '../../rule/index.js';
import { check } from '../../policy/index.js';
import { placeOf, placesAndNotes, validators } from '../../checks/index.js';
import {
  isDefinitionOfChart,
  manifestObjects,
  type ManifestObject,
} from '../../repository/index.js';
import { framesInTurn, formats } from '../../report/index.js';
import { decidingPolicy, type DecisionOptions, openPolicy } from '../options/policy-option.js';
import { minorsFor } from '../options/kubernetes-option.js';
import { withWarnings } from '../options/skipped-files.js';
import { startReport } from '../report-output.js';
import { flags, withFlags, several, type NetworkOptions } from '../options/flags.js';

interface Options extends DecisionOptions, NetworkOptions {
  readonly values: readonly string[];
  readonly policy?: string;
  readonly kubernetes?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: string;
}

export function checkChartCommand(): Command {
  const command = new Command('chart').description(
    'compare two releases of a Helm chart by what Helm does to definitions',
  );
  return withFlags(command, {
    '<old>': 'the installed chart: a folder or git:REF:path',
    '<new>': 'the chart to upgrade to',
    '--values <file>': several('values for both'),
    ...flags.policy,
    ...{ ...flags.network, ...flags.strict, ...flags.all, ...flags.kubernetes('objects') },
    ...flags.kubeconfig('the cluster of --kubernetes cluster (default: as kubectl)'),
    ...flags.output(formats),
  }).action(checkChart);
}

async function checkChart(first: string, second: string, options: Options): Promise<void> {
  const loaded = await openPolicy(options.policy);
  const policy = decidingPolicy(loaded, options);
  const asked = await minorsFor(options.kubernetes ?? loaded.policy.kubernetes, options);
  const unchecked: string[] = [];
  const old = await readRelease(first, options, unchecked);
  const next = await readRelease(second, options, unchecked);
  const judged = judgeChart(old, next, validators, asked ?? minorsByDefault());
  append(unchecked, judged.unchecked);
  const subject = { groups: groupsOf(next), name: next.name };
  const { verdict } = await check({ subject, findings: judged.findings }, policy);
  const written = new Map([...old.written, ...next.written]);
  const shown = [];
  for (const finding of verdict.findings) {
    const { object, keys } = finding[foundAt] ?? { keys: [] };
    const manifest = object && written.get(object);
    shown.push(manifest && (await placeOf(manifest, keys)));
  }
  const report = startReport('Charts', options.output, { isAllListed: options.all === true });
  await report.result({
    name: next.name,
    verdict,
    output: null,
    ...placesAndNotes(shown, framesInTurn()),
  });
  const counts = { allowed: verdict.allowed ? 1 : 0, denied: verdict.allowed ? 0 : 1 };
  const isFailure = verdict.allowed && unchecked.length > 0;
  const bare = [old, next].filter((each) => definitionsOf(each).length === 0);
  const named = [...new Set(bare.map(({ name }) => name))].map(
    (name) => `${name} has no CustomResourceDefinition as it is rendered (--values FILE)`,
  );
  const warnings = [...(asked?.warnings ?? []), ...named];
  await report.end(counts, { warnings, ...(unchecked.length > 0 && { unchecked }), isFailure });
  process.exitCode = verdict.allowed ? (isFailure ? 2 : 0) : 1;
}

interface WrittenRelease extends RenderedRelease {
  /** `chart widgets 1.2.0`. */
  readonly name: string;
  readonly written: ReadonlyMap<JsonObject, ManifestObject>;
}

/** @throws InvalidInputError for what is no chart, and what helm cannot render */
async function readRelease(
  source: string,
  { values: valueFiles, network: usesNetwork }: Options,
  unchecked: string[],
): Promise<WrittenRelease> {
  const written = new Map<JsonObject, ManifestObject>();
  let head: JsonObject | undefined;
  const read = withWarnings((options) =>
    manifestObjects(source, {
      ...options,
      valueFiles,
      usesNetwork,
      onUnchecked: (sentence) => unchecked.push(sentence),
      onChart: (chart) => (head = chart),
    }),
  );
  for await (const { objects } of read) {
    for (const each of objects) written.set(each.object, each);
  }
  if (head === undefined) {
    throw invalidInput('is no Helm chart: it has no Chart.yaml', { file: source });
  }
  const all = [...written.values()];
  const isCrd = ({ object, template }: ManifestObject): boolean =>
    isCustomResourceDefinition(object) && isDefinitionOfChart(template);
  return {
    name: `chart ${textAt(head, 'name') ?? source} ${textAt(head, 'version') ?? ''}`.trim(),
    written,
    crds: all.filter(isCrd).map(({ object }) => object),
    templates: all.filter((each) => !isCrd(each)).map(({ object }) => object),
  };
}

function definitionsOf({ crds, templates }: RenderedRelease): JsonObject[] {
  return [...crds, ...templates].filter(isCustomResourceDefinition);
}

function groupsOf(release: RenderedRelease): string[] {
  const names = definitionsOf(release).map((each) => metaOf(each).name);
  return [...new Set(names.map((name) => name.replace(/^[^.]*\./, '')))];
}
