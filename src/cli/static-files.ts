/** The files of manifest-based admission: what `--admission-control-config-file` names, and what that names. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeYaml, type JsonObject } from '../text/documents/index.js';

export interface StaticManifests {
  /** YAML. */
  readonly policies: string;
  readonly webhooks?: string | undefined;
}

const configApi = 'apiserver.config.k8s.io/v1';

/**
 * Each plugin of an API server reads a folder of its own, which holds nothing else.
 *
 * @returns the files that were written
 */
export async function writeStaticFiles(
  folder: string,
  { policies, webhooks }: StaticManifests,
): Promise<string[]> {
  const root = resolve(folder);
  const plugins = [
    {
      name: 'ValidatingAdmissionPolicy',
      kind: 'ValidatingAdmissionPolicyConfiguration',
      folder: join(root, 'policies'),
      text: policies,
    },
    {
      name: 'ValidatingAdmissionWebhook',
      kind: 'WebhookAdmissionConfiguration',
      folder: join(root, 'webhooks'),
      text: webhooks,
    },
  ].filter(({ text }) => text !== undefined);
  const configuration: JsonObject = {
    apiVersion: configApi,
    kind: 'AdmissionConfiguration',
    plugins: plugins.map(({ name, kind, folder: staticManifestsDir }) => ({
      name,
      configuration: { apiVersion: configApi, kind, staticManifestsDir },
    })),
  };
  const written: string[] = [];
  const write = async (place: string, name: string, text: string): Promise<void> => {
    await mkdir(place, { recursive: true });
    const file = join(place, name);
    // An API server may read the folder meanwhile; it takes no file of this ending.
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
    written.push(file);
  };
  for (const plugin of plugins) await write(plugin.folder, 'olm-guard.yaml', plugin.text ?? '');
  await write(root, 'olm-guard-admission.yaml', writeYaml(configuration));
  return written;
}
