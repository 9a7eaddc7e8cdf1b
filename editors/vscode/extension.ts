/** Starts `olm-guard lsp`, which does all else. */
import { workspace, type ExtensionContext } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

export async function activate({ subscriptions }: ExtensionContext): Promise<void> {
  const command = workspace.getConfiguration('olm-guard').get('command', 'olm-guard');
  const documentSelector = ['yaml', 'json'].map((language) => ({ scheme: 'file', language }));
  const watched = workspace.createFileSystemWatcher(
    '**/{.olm-guard.yaml,.olm-guard.yml,.git/HEAD}',
  );
  const client = new LanguageClient(
    'olm-guard',
    { command, args: ['lsp'] },
    { documentSelector, synchronize: { fileEvents: watched } },
  );
  subscriptions.push(client, watched);
  await client.start();
}
