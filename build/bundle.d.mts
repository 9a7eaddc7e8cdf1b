import type { BuildOptions } from 'esbuild';

/** Options for what runs in Node. */
export const common: BuildOptions;

/** Options for what runs without Node, with these over them. */
export function forBrowsers(options: BuildOptions): BuildOptions;
