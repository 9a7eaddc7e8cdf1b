/** What `check operatorgroup examples/groups/reporting.yaml --state examples/olm -o svg` draws. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawGroups } from '../src/cli/group-map.js';
import { FolderState } from '../src/cluster/olm-state/folder-state.js';
import { isObject, parseDocuments } from '../src/text/documents/index.js';

const examples = join(import.meta.dirname, '..', 'examples');

export async function groupMapPicture(): Promise<string> {
  const asked = parseDocuments(readFileSync(join(examples, 'groups', 'reporting.yaml')), {
    file: 'reporting.yaml',
  }).flatMap(({ value }) => (isObject(value) ? [value] : []));
  const state = await FolderState.read(join(examples, 'olm'), { watch: false });
  try {
    return drawGroups(state, asked);
  } finally {
    await state.close();
  }
}
