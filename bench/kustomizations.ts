/** A repository of overlays: each of ten bases is taken in by a tenth of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { definition } from '../test/chart/monorepo.js';

const bases = 10;

const head = (kind: string, name: string, apiVersion: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${name} }\n`;

/** Returns the folders of the overlays, from the top. */
export function writeKustomizations(top: string, overlays: number): string[] {
  const write = (name: string, text: string): void => {
    const file = join(top, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('.git/HEAD', 'ref: refs/heads/main\n');
  write('crds/backups.yaml', definition);
  for (let base = 0; base < bases; base++) {
    const folder = `base/app-${base}`;
    const labels = `{ app: app-${base} }`;
    write(
      `${folder}/kustomization.yaml`,
      'resources: [backup.yaml, deployment.yaml, service.yaml]\n',
    );
    write(
      `${folder}/backup.yaml`,
      `${head('Backup', `backup-${base}`, 'example.com/v1')}spec: { schedule: "0 3 *", keep: 3 }\n`,
    );
    write(
      `${folder}/deployment.yaml`,
      `${head('Deployment', `app-${base}`, 'apps/v1')}spec:\n  selector: { matchLabels: ${labels} }\n  template:\n    metadata: { labels: ${labels} }\n    spec: { containers: [{ name: app, image: "app:1" }] }\n`,
    );
    write(
      `${folder}/service.yaml`,
      `${head('Service', `app-${base}`, 'v1')}spec: { selector: ${labels}, ports: [{ port: 80 }] }\n`,
    );
  }
  return Array.from({ length: overlays }, (_, index) => {
    const folder = `apps/team-${index}`;
    const base = index % bases;
    write(
      `${folder}/kustomization.yaml`,
      `namespace: team-${index}\nresources: [../../base/app-${base}]\npatches: [{ path: keep.yaml }]\n`,
    );
    write(
      `${folder}/keep.yaml`,
      `${head('Backup', `backup-${base}`, 'example.com/v1')}spec: { keep: ${1 + (index % 10)} }\n`,
    );
    return folder;
  });
}
