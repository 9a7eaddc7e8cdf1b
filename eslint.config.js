import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const spreadCall = {
  selector:
    'CallExpression[callee.property.name=/^(push|unshift|max|min|fromCodePoint|fromCharCode)$/] > SpreadElement',
  message: 'A call takes some 100,000 arguments; src/text/long-lists.ts has what takes any.',
};

export default tseslint.config(
  {
    ignores: [
      'examples/library/',
      'dist/',
      'coverage/',
      '**/node_modules/',
      '**/dist/',
      '.cache/',
      // Their packages are not there: their own builds check their types.
      'site/',
      'editors/',
      '**/testdata/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      eqeqeq: ['error', 'always'],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/*.ts'],
    rules: { 'no-restricted-syntax': ['error', spreadCall] },
  },
  {
    // Names and messages reach a terminal or a CI runner through one place, which disarms them.
    files: ['src/{cli,gate,checks,report,policy,cluster,repository}/**/*.ts'],
    ignores: ['src/cli/output.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "MemberExpression[object.object.name='process'][object.property.name=/^std(out|err)$/][property.name='write']",
          message: 'print() and say() of src/cli/output.ts write for commands.',
        },
        spreadCall,
      ],
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.test.ts', '**/testing/*.ts', 'test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ group: ['**/testing/*', '**/*.test.js'], message: 'Only tests may.' }],
          // Programs get no environment, no links and no network of whoever runs the check.
          paths: ['node:child_process', 'child_process', 'node:cluster', 'cluster'].map((name) => ({
            name,
            message: 'runProgram() of src/text/documents/program.ts starts every program.',
          })),
        },
      ],
      // The types of mocha declare them everywhere, so a misspelt variable of such a name compiles.
      'no-restricted-globals': ['error', 'after', 'before', 'context', 'describe', 'it', 'run'],
    },
  },
  {
    files: ['src/text/documents/program.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
