import { rooms } from './build/rooms.js';

const outside = (room) =>
  rooms
    .map(({ name }) => name)
    .filter((name) => name !== room.name && !room.imports.includes(name));

/** Tests may look over the walls; what ships may not. */
const tests = String.raw`\.test\.ts$|/testing/|/testdata/`;

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Two files that need each other, be it for a type, are one file, or hide a third.',
      severity: 'error',
      from: { pathNot: tests },
      to: { circular: true },
    },
    ...rooms
      .filter((room) => outside(room).length > 0)
      .map((room) => ({
        name: `${room.name}-imports`,
        comment: 'build/rooms.js says what a room may import.',
        severity: 'error',
        from: { path: `^src/${room.name}/`, pathNot: tests },
        to: { path: `^src/(${outside(room).join('|')})/` },
      })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
