import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, checkTypes } from '../../server/cli/checks.mjs'
import { graphOf } from '../../server/cli/graph.mjs'
import { declaredModules } from '../../server/cli/modules.mjs'
import { scaffold } from '../../server/cli/scaffold/scaffold.mjs'
import { root } from '../../server/cli/sources.mjs'

/** Compilers and a run of tests of their own, beside all the other tests. What they do for long is left to `npm run test:full`. */
const PATIENCE = 300_000

/** The whole house without what git ignores, in which the scaffold writes. */
let copy: string
let written: string[]
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'parley-scaffold-'))
  const git = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  const paths = git.stdout.split('\0').filter((path) => path !== '')
  for (const folder of new Set(paths.map((path) => dirname(join(copy, path))))) await mkdir(folder, { recursive: true })
  // a file that was deleted and not committed yet is listed all the same
  await Promise.all(paths.map((path) => cp(join(root, path), join(copy, path)).catch(unlessGone)))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  // what `npm start` loads is built first: an import rule asks that it is there
  await mkdir(join(copy, 'build/parley/server'), { recursive: true })
  await writeFile(join(copy, 'build/parley/server/main.js'), '')
  written = [...scaffold('module', 'shelf-labels', copy).written, ...scaffold('block', 'quick-note', copy).written]
})
afterAll(() => rm(copy, { recursive: true, force: true }))

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

test('a new module and a new kind of block are folders of their own, and a line in the list of their like', async () => {
  const outside = written.filter((path) => !/shelf-?_?labels|shelfLabels|quick-note/i.test(path))
  expect(outside.sort()).toEqual([
    'blocks/kinds.ts',
    'server/README.md',
    'server/modules.ts',
    'tests/contract/events/writes.ts',
    'tests/security/tenancy/seeds.ts',
  ])
  // a seed says how another project's row is made, a line of `writes` how a route is called
  for (const path of outside.filter((each) => !each.startsWith('tests/'))) {
    const [before, after] = await Promise.all([root, copy].map((folder) => readFile(join(folder, path), 'utf8')))
    const lines = new Set(before?.split('\n'))
    const added = after?.split('\n').filter((line) => !lines.has(line))
    expect(added?.filter((line) => !/shelfLabels|quickNote/.test(line))).toEqual([])
    expect(added?.length).toBeLessThanOrEqual(2)
  }
  const graph = graphOf(declaredModules(join(copy, 'server/modules'))).map((line) => line.trimEnd())
  expect(await readFile(join(copy, 'server/README.md'), 'utf8')).toContain(graph.join('\n'))
})

test.runIf(process.env.FULL)(
  'types, style and import rules are content with them',
  async () => {
    const style = call('biome', ['check', '--error-on-warnings', '--vcs-enabled=false', ...written], copy)
    expect(await style).toMatchObject({ passed: true })
    // by the copy's own rules, which know the new module
    const zones = ['engine', 'blocks', 'server', 'src', 'tests']
    const imports = await call('depcruise', ['--config', join(copy, '.dependency-cruiser.mjs'), ...zones], copy)
    expect(imports).toMatchObject({ output: expect.stringContaining('no dependency violations'), passed: true })
    for (const zone of ['server', 'src'])
      expect(await checkTypes(zone, copy)).toMatchObject({ output: '', passed: true })
  },
  PATIENCE,
)

test(
  'their own tests pass; in a full run, those of all kinds and all routes too',
  async () => {
    const ofAll = [
      'tests/contract/blocks.test.ts',
      'tests/contract/events/events.test.ts',
      'tests/security/routes.test.ts',
    ]
    const files = ['server/modules/shelfLabels', 'blocks/quick-note', ...(process.env.FULL ? ofAll : [])]
    const run = await call(
      'vitest',
      ['run', '--project', 'node', '--reporter', 'json', '--outputFile', 'out.json', ...files],
      copy,
    )
    const report = JSON.parse(await readFile(join(copy, 'out.json'), 'utf8')) as Report
    const failed = report.testResults.filter(({ status }) => status !== 'passed')
    expect(
      failed.map(({ name, message }) => [name, message]),
      run.output,
    ).toEqual([])
    expect(
      report.testResults.map(({ name }) => name).filter((name) => /shelfLabels|quick-note/.test(name)),
    ).toHaveLength(2)
  },
  PATIENCE,
)

test('a name that is none, or is taken, is refused before anything is written', () => {
  for (const name of ['', 'Labels', '../labels', 'a b', undefined])
    expect(() => scaffold('module', name, copy)).toThrow('npm run new')
  expect(() => scaffold('screen', 'home', copy)).toThrow('npm run new')
  expect(() => scaffold('block', 'text', copy)).toThrow('blocks/text/schema.ts is there already')
})

interface Report {
  testResults: { name: string; status: string; message: string }[]
}
