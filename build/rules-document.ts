/** docs/rules.md, which lists every rule, and a page for each name that findings carry. */
import { namesOf, subjects, type Rule } from '../src/rule/rule.js';
import { usualMode } from '../src/policy/policy.js';
import { audienceOf, audiences } from '../src/policy/rules/glossary.js';
import { rules } from '../src/policy/rules/registry.js';
import { pageOf, type PageLine } from '../src/policy/rules/page.js';
import { pageFile } from '../src/rule/finding.js';

const introduction = `# Rules

Made from the code by \`npm run docs\`. Every finding carries the name of its rule; a policy names rules, or their family, in \`modes\` and exemptions. The page of a rule says what it checks, why, its source, and shows an example; \`olm-guard explain RULE\` prints it, and \`olm-guard explain FAMILY\` a sentence for each rule.
`;

export function rulesDocument(): string {
  return [
    introduction,
    ...subjects.flatMap((subject) => {
      const about = rules.filter((rule) => rule.subject === subject);
      return [`## ${titles[subject]}\n`, ...whoIsHurt(about), overview(about)];
    }),
  ].join('\n');
}

/** Another name of a rule has a page of its own, so that links by any name lead somewhere. */
export const rulePages: readonly { readonly file: string; readonly text: () => string }[] =
  rules.flatMap((rule) =>
    namesOf(rule).map((name) => ({ file: pageFile(name), text: () => rulePage(rule, name) })),
  );

const titles: Readonly<Record<Rule['subject'], string>> = {
  CustomResourceDefinition: 'CRD upgrade safety',
  clients: 'Clients: requests that get another answer',
  'server-side apply': 'Server-side apply and the tools that use it',
  readers: 'Readers: values that an old client does not know',
  display: 'Display: what people and tables see',
  rollback: 'Rollback',
  'stored objects': 'Stored objects',
  manifests: 'Manifests of custom resources',
  consumers: 'Consumers of a definition',
  chart: 'Helm charts',
  conversion: 'Conversion between versions',
  'switch-off': 'Switch-offs',
  promises: 'Promises',
  OperatorGroup: 'OperatorGroups',
  ClusterServiceVersion: 'ClusterServiceVersions',
  Subscription: 'Subscriptions',
  InstallPlan: 'InstallPlans',
  CatalogSource: 'CatalogSources',
  ClusterExtension: 'ClusterExtensions',
  ClusterVersion: 'ClusterVersions',
  bundle: 'Bundles',
  catalog: 'Catalogs',
  'catalog update': 'Changes of a catalog',
  resolution: 'Resolution',
  cluster: 'A cluster as a whole',
};

/** The sections of the list. */
export const ruleTitles: readonly string[] = subjects.map((subject) => titles[subject]);

/** Of a section about one audience. */
function whoIsHurt(about: readonly Rule[]): string[] {
  const [audience, ...others] = new Set(about.map(audienceOf));
  if (audience === undefined || others.length > 0) return [];
  const families = [...new Set(about.map(({ family }) => family))].map((family) => {
    const mode = usualMode(family);
    return `\`${family}\` (\`${mode}\`)`;
  });
  const which = `${families.length === 1 ? 'family' : 'families'} ${families.join(', ')}`;
  return [`Audience \`${audience}\`, ${which}. ${audiences[audience]}\n`];
}

function overview(about: readonly Rule[]): string {
  const lines = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const links = about
      .filter((rule) => rule.severity === severity)
      .map((rule) => namesOf(rule).map(link).join(', '));
    return links.length === 0 ? [] : [`${severities[severity]}: ${links.join(', ')}.\n`];
  });
  return lines.join('\n');
}

const severities = { error: 'Errors', warning: 'Warnings', info: 'Notes' } as const;

function rulePage(rule: Rule, name: string): string {
  const others = namesOf(rule).filter((other) => other !== name);
  return (
    [
      `# ${name}`,
      `${titles[rule.subject]}. [All rules](../rules.md)`,
      ...(others.length === 0
        ? []
        : [`**Also called:** ${others.map((other) => `[${other}](${other}.md)`).join(', ')}`]),
      ...pageOf(rule).map(paragraph),
    ].join('\n\n') + '\n'
  );
}

const labels: ReadonlyMap<string, string> = new Map([
  ['checks', 'Checks'],
  ['changes', 'Changes that exemptions may name'],
  ['why', 'Why'],
  ['otherwise', 'Otherwise'],
  ['default', 'By default'],
  ['source', 'Source'],
  ['before', 'For example, before:'],
  ['after', 'and after:'],
  ['says', 'The finding'],
  ['proof', 'Proof'],
  ['witness', 'The object that shows it:'],
  ['instead', 'Instead'],
  ['accepted', 'which passes:'],
]);

function paragraph({ label, text, isBlock }: PageLine): string {
  const title = labels.get(label) ?? label;
  return isBlock === true ? `${title}\n\n\`\`\`yaml\n${text}\n\`\`\`` : `**${title}:** ${text}`;
}

function link(name: string): string {
  return `[${name}](rules/${name}.md)`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}
