import { defineConfig } from 'vitest/config'

const globalSetup = ['tests/support/databaseServer.ts']

/**
 * What is waited for comes later on a machine that has other things to do, and may be ten times as slow as the one that a test was written
 * on: no limit of time here says how long anything should take.
 */
const patient = { poll: { timeout: 60_000 } }

/** Long courses, for `npm run test:full`, and for who names one on the command line. */
const isAsked = process.env.FULL !== undefined || process.argv.some((argument) => argument.includes('.long.'))
const long = isAsked ? [] : ['**/*.long.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          expect: patient,
          globalSetup,
          setupFiles: ['tests/support/freshCourses.ts'],
          include: ['{engine,blocks,server,src,tests}/**/*.test.{ts,tsx}'],
          exclude: ['tests/e2e/**', ...long],
          benchmark: { include: ['tests/bench/*.bench.ts'] },
          // the bench of the engine weighs sessions, for which it has to collect garbage when it says
          execArgv: ['--expose-gc'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // also on two cores: much of it waits for the database
          maxWorkers: 3,
          // files share what they import: reading it anew for each took a third of the time. No file mocks modules
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e',
          expect: patient,
          globalSetup,
          include: ['tests/e2e/**/*.test.ts'],
          exclude: long,
          benchmark: { include: [] },
          // a browser waits for its server and the other way round: two files at once leave no core idle
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
