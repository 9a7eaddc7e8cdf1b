/** `olm-guard lsp`: what the checks find, in an editor. */
import { Command } from 'commander';
import { printError } from './output.js';

export function lspCommand(): Command {
  return new Command('lsp')
    .description(
      'serve an editor over the Language Server Protocol: definitions, objects, bundles, catalogs and the policy as they are typed',
    )
    .option('--stdio', 'standard input and output, which is the only way')
    .action(async () => {
      // Loaded here, so that no other command waits for it.
      const { startLanguageServer } = await import('./lsp/server.js');
      startLanguageServer((error) => {
        printError(`olm-guard: ${error.message}`);
        process.exit(2);
      });
    });
}
