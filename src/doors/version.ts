import manifest from '../../package.json' with { type: 'json' };

/** The package's own version. */
export const version = manifest.version;
