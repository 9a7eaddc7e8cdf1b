import { areas } from './build/areas.js';

/** Tests may look over the walls; what ships may not. */
const tests = String.raw`\.test\.ts$|/testing/|/testdata/`;

const names = (list) => list.map(({ name }) => name);

/**
 * Areas that may not be imported, and the inside of those that may. `text` is a library of files; and what
 * is imported late is imported alone.
 */
const walls = areas.flatMap(({ name, imports }) => {
  const others = names(areas).filter((other) => other !== name);
  const shut = others.filter((other) => !imports.includes(other));
  const faced = imports.filter((other) => other !== 'text');
  return [
    ...(shut.length > 0
      ? [{ name: `${name}-imports`, to: { path: `^src/(${shut.join('|')})/` } }]
      : []),
    ...(faced.length > 0
      ? [
          {
            name: `${name}-by-index`,
            to: { path: `^src/(${faced.join('|')})/(?!index\\.ts$)`, dynamic: false },
          },
        ]
      : []),
  ].map((wall) => ({ ...wall, from: `^src/${name}/` }));
});

/** Within an area imports go down the table. */
const floors = areas
  .filter(({ name }) => !['cel', 'text'].includes(name))
  .flatMap(({ name, folders = [] }) =>
    folders.slice(1).map((folder, index) => ({
      name: `${name}-${folder.name}-imports`,
      from: `^src/${name}/${folder.name}/`,
      to: { path: `^src/${name}/(${names(folders.slice(0, index + 1)).join('|')})/` },
    })),
  );

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Two files that need each other, be it for a type, are one file, or hide a third.',
      severity: 'error',
      from: { pathNot: tests },
      to: { circular: true },
    },
    ...[...walls, ...floors].map(({ name, from, to }) => ({
      name,
      comment: 'build/areas.js says what may import what.',
      severity: 'error',
      from: { path: from, pathNot: tests },
      to,
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
