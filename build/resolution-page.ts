/** docs/resolution.md: what `olm-guard resolve` says about the scenarios of examples/resolve. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalogs } from '../src/cli/resolve/resolve-source.js';
import { answerResolve } from '../src/cli/resolve/resolve-answer.js';
import { FolderCluster } from '../src/cluster/view/folder.js';
import { defaultPolicy } from '../src/policy/policy.js';
import { renderResolution } from '../src/report/resolution.js';

const root = join(import.meta.dirname, '..');
const namespace = 'team';

/** Folders of examples/resolve, and which catalogs each names. */
const scenarios: readonly (readonly [title: string, folder: string, ...catalogs: string[]])[] = [
  ['A deadlock', 'deadlock', 'community'],
  ['A version conflict', 'version-conflict', 'community'],
];
/** Folders whose answer the page does not print. */
const further = ['other-namespace', 'missing-api', 'deprecated-api', 'no-and'];

export async function resolutionPage(): Promise<string> {
  const sections: string[] = [];
  for (const [title, folder, ...catalogs] of scenarios) {
    const path = `examples/resolve/${folder}`;
    const options = catalogs.map((name) => `--catalog ${path}/${name}`).join(' ');
    const answer = await answerOf(folder, catalogs);
    const page = renderResolution(answer.output, answer.output.explanation, answer.verdict);
    sections.push(
      `## ${title}\n\n${introduction(path)}\n\n` +
        `\`\`\`sh\nolm-guard resolve --namespace ${namespace} --state ${path}/state ${options}\n\`\`\`\n\n` +
        `\`\`\`text\n${page}\`\`\`\n`,
    );
  }
  const opening =
    '# What OLM will do in a namespace, and why\n\n' +
    'OLM decides for a whole namespace at once, and often says nothing at all. `olm-guard resolve` ' +
    'answers before anything is applied. Each section below is one folder of `examples/resolve`.\n';
  const others = further.map((folder) => {
    const path = `examples/resolve/${folder}`;
    return `- \`${path}\`: ${introduction(path)}`;
  });
  return [
    opening,
    ...sections,
    `## Further examples\n\nEach has its \`state\` and its catalogs beside it.\n\n${others.join('\n')}\n`,
  ].join('\n');
}

async function answerOf(
  folder: string,
  catalogs: readonly string[],
): ReturnType<typeof answerResolve> {
  const path = join(root, 'examples', 'resolve', folder);
  const cluster = await FolderCluster.read(join(path, 'state'));
  const source = {
    namespace,
    subscribe: [],
    semantics: 'olm' as const,
    catalogs: await readCatalogs(catalogs.map((name) => join(path, name))),
  };
  return answerResolve(cluster, source, defaultPolicy);
}

/** The comment at the top of the scenario's state. */
function introduction(path: string): string {
  const [first = ''] = readFileSync(join(root, path, 'state', 'team.yaml'), 'utf8').split('\n');
  return first.replace(/^# /, '');
}
