// npm links bin files as they are: the entry point must be executable in a checkout.
import { chmodSync } from 'node:fs';

chmodSync(new URL('../dist/doors/cli/main.js', import.meta.url), 0o755);
