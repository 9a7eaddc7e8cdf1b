/** What other programs import, as package.json has it. */
import manifest from '../package.json' with { type: 'json' };

/** Name to import, and source file from the root. */
export const libraryEntries = Object.entries(manifest.exports).flatMap(([path, target]) => {
  if (typeof target === 'string') return [];
  const file = target.types.replace('./dist/types/', 'src/').replace(/\.d\.ts$/, '.ts');
  return [{ name: `${manifest.name}${path.slice(1)}`, file }];
});
