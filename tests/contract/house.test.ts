import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, checkComments, checkImports, checkReaders, checkTypes } from '../../server/cli/checks.mjs'
import { graphOf } from '../../server/cli/graph.mjs'
import { declaredModules } from '../../server/cli/modules.mjs'
import { root } from '../../server/cli/sources.mjs'
import { modules } from '../../server/modules'

/** A small house with the rules of the real one, in which each violation is planted, found and taken out again. */
let house: string

const FILES: Record<string, string> = {
  'engine/errors.ts': 'export const broken = 1\n',
  'blocks/registry.ts': "import { textSchema } from './text/schema'\n\nexport const registry = [textSchema]\n",
  'blocks/text/schema.ts': "import { broken } from '../../engine/errors'\n\nexport const textSchema = broken\n",
  'blocks/image/schema.ts': 'export const imageSchema = 2\n',
  'server/modules/billing/credits.ts': 'export const credits = 3\n',
  'server/modules/flows/drafts.ts': 'export const drafts = 4\n',
  'server/app.ts': "import { registry } from '../blocks/registry'\n\nexport const app = registry\n",
  'src/app/main.tsx': 'export const App = () => <p>Parley</p>\n',
  'src/screens/login/Login.tsx': 'export const Login = () => <p>Log in</p>\n',
  'src/ui/Button.tsx': 'export const Button = () => <button type="button">Go</button>\n',
  'src/widget/chat.ts': 'export const chat = 1\n',
  'tests/one.ts': 'export const one = 1\n',
}
const ZONES = ['engine', 'blocks', 'server', 'src', 'src/widget', 'tests']
const CONFIGS = [
  'engine/noRandom.grit',
  'tsconfig.json',
  'biome.json',
  'package.json',
  '.gitignore',
  ...ZONES.map((zone) => `${zone}/tsconfig.json`),
]

beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'parley-house-'))
  for (const [path, text] of Object.entries(FILES)) await put(path, text)
  for (const path of CONFIGS) {
    await mkdir(dirname(join(house, path)), { recursive: true })
    await cp(join(root, path), join(house, path))
  }
  await symlink(join(root, 'node_modules'), join(house, 'node_modules'))
})
afterAll(() => rm(house, { recursive: true, force: true }))

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(house, path)), { recursive: true })
  await writeFile(join(house, path), text)
}

const types = (zone: string) => checkTypes(zone, house)
const style = () => call('biome', ['check', '--error-on-warnings', '--vcs-enabled=false', '--colors=off'], house)
const imports = () => {
  const folders = ['engine', 'blocks', 'server', 'src', 'tests']
  return call('depcruise', ['--config', join(root, '.dependency-cruiser.mjs'), ...folders], house)
}

test('the house without a violation is clean', async () => {
  expect(await style()).toMatchObject({ passed: true, output: expect.stringContaining('No fixes applied') })
  expect(await imports()).toMatchObject({
    passed: true,
    output: expect.stringContaining(`${Object.keys(FILES).length} modules`),
  })
  expect(await types('engine')).toMatchObject({ passed: true })
})

/** Plants all files at once, since each tool reads the whole house anyway, and takes them out again. */
async function plant(files: [path: string, text: string][], check: () => ReturnType<typeof call>) {
  await Promise.all(files.map(([path, text]) => put(path, text)))
  const result = await check()
  await Promise.all(files.map(([path]) => rm(join(house, path))))
  expect(result.passed).toBe(false)
  return result.output
}

test.each([
  ['engine', ['window', 'process', 'fetch', 'setTimeout', 'document']],
  ['blocks', ['window', 'process', 'fetch', 'setTimeout', 'document']],
  ['server', ['window', 'document']],
  ['src', ['process', 'Buffer']],
  ['src/widget', ['process', 'Buffer']],
])('in %s there is no %j', async (zone, names) => {
  const text = names.map((name, index) => `export const planted${index} = ${name}\n`).join('')
  const output = await plant([[`${zone}/planted.ts`, text]], () => types(zone))
  for (const name of names) expect(output).toContain(`Cannot find name '${name}'`)
})

test('style: what may not be written is found where it stands', async () => {
  const planted: [path: string, text: string, rule: string][] = [
    ['engine/clock.ts', 'export const now = () => Date.now()\n', 'noRestrictedGlobals'],
    ['engine/chance.ts', 'export const dice = () => Math.random()\n', 'plugin'],
    ['blocks/text/clock.ts', 'export const now = () => new Date()\n', 'noRestrictedGlobals'],
    ['blocks/text/chance.ts', 'export const dice = () => Math.random()\n', 'plugin'],
    ['server/any.ts', 'export const some: any = 1\n', 'noExplicitAny'],
    ['server/prints.ts', "console.log('here')\n", 'noConsole'],
    ['src/ui/Picture.tsx', 'export const Picture = () => <img src="a.png" />\n', 'useAltText'],
    ['src/ui/Click.tsx', 'export const Click = () => <div onClick={() => {}}>Go</div>\n', 'useKeyWithClickEvents'],
    ['src/ui/quotes.ts', 'export const one = "1"\n', 'format'],
  ]
  const output = await plant(
    planted.map(([path, text]) => [path, text]),
    style,
  )
  for (const [path, , rule] of planted) expect(output).toMatch(new RegExp(`${path}\\S* \\S*${rule}`))
})

test('imports: each rule finds its violation', async () => {
  const rules: [rule: string, path: string, imported: string][] = [
    ['engine-alone', 'engine/a.ts', '../server/app'],
    ['engine-pure', 'engine/b.ts', 'node:fs'],
    ['engine-no-react', 'engine/c.ts', 'react'],
    ['yjs-places', 'engine/d.ts', 'yjs'],
    ['yjs-places', 'src/app/a.ts', 'yjs'],
    ['block-alone', 'blocks/text/a.ts', '../image/schema'],
    ['block-alone', 'blocks/text/b.tsx', '../image/schema'],
    ['block-runtime', 'blocks/text/c.ts', '../../src/ui/Button'],
    ['block-runtime-pure', 'blocks/text/d.ts', 'node:crypto'],
    ['block-runtime-no-react', 'blocks/text/e.ts', 'react'],
    ['block-view', 'blocks/text/f.tsx', '../../src/app/main'],
    ['server', 'server/a.ts', '../src/ui/Button'],
    ['server', 'server/b.ts', '../blocks/text/schema'],
    ['server-no-react', 'server/c.ts', 'react'],
    ['server-contracts', 'server/contracts/a.ts', '../app'],
    ['server-platform', 'server/platform/a.ts', '../modules/billing/credits'],
    ['server-access', 'server/access/a.ts', '../modules/billing/credits'],
    ['module-billing', 'server/modules/billing/a.ts', '../flows/drafts'],
    ['module-mails', 'server/modules/mails/a.ts', '../../app'],
    ['module-unknown', 'server/modules/other/a.ts', '../billing/credits'],
    ['interface', 'src/app/b.ts', '../../server/app'],
    ['interface-blocks', 'src/app/c.ts', '../../blocks/text/schema'],
    ['interface-no-node', 'src/app/d.ts', 'node:fs'],
    ['screen-alone', 'src/screens/home/a.ts', '../login/Login'],
    ['ui-alone', 'src/ui/a.ts', '../screens/login/Login'],
    ['ui-alone', 'src/ui/b.ts', '../../blocks/registry'],
    ['widget-alone', 'src/widget/a.ts', '../ui/Button'],
    ['widget-types', 'src/widget/b.ts', '../../engine/errors'],
    ['widget-door', 'src/app/e.ts', '../widget/chat'],
    ['no-cycles', 'engine/own.ts', './own'],
    ['no-unresolved', 'server/z.ts', './nowhere'],
  ]
  const output = await plant(
    rules.map(([, path, imported]) => [
      path,
      `import * as planted from '${imported}'\n\nexport const used = planted\n`,
    ]),
    imports,
  )
  for (const [rule, path] of rules) expect(output).toContain(`error ${rule}: ${path}`)
})

test('imports: files that need each other for their types alone are a circle too', async () => {
  const output = await plant(
    [
      ['server/modules/flows/here.ts', "import type { There } from './there'\n\nexport type Here = There | 1\n"],
      ['server/modules/flows/there.ts', "import type { Here } from './here'\n\nexport type There = Here | 2\n"],
    ],
    imports,
  )
  expect(output).toContain('error no-cycles: server/modules/flows/here.ts')
})

test('imports: a run that sees no modules fails, though it finds no violation', async () => {
  expect(await checkImports(house, 1)).toMatchObject({ passed: true })
  expect(await checkImports(house, 1_000)).toMatchObject({
    passed: false,
    output: expect.stringContaining("can't be all"),
  })
})

test('who reads what lies beside the repository is found, but for the one that says whether it is there', async () => {
  const beside = '../SHARED'.toLowerCase()
  const read = `export const text = '${beside}/flows/a.json'\n`
  await put('tests/support/shared.ts', read)
  expect(await checkReaders(house)).toMatchObject({ passed: true })
  const planted = ['tests/reads.ts', 'server/reads.test.ts', 'blocks/text/reads.json']
  const output = await plant(
    planted.map((path) => [path, read]),
    () => checkReaders(house),
  )
  for (const path of planted) expect(output).toContain(`${path}:1`)
  await rm(join(house, 'tests/support'), { recursive: true })
})

test('comments: a line that is too long is found, an address that can not be wrapped is not', async () => {
  const long = 'word '.repeat(30).trim()
  expect(await checkComments(house)).toMatchObject({ passed: true })
  await put('engine/address.ts', `// https://example.com/${'a'.repeat(150)}\nexport const a = '${long}'\n`)
  expect(await checkComments(house)).toMatchObject({ passed: true })
  await rm(join(house, 'engine/address.ts'))
  const planted: [path: string, text: string][] = [
    ['engine/line.ts', `// ${long}\n`],
    ['blocks/text/doc.ts', `/** ${long} */\n`],
    ['server/cli/star.mjs', `/*\n * ${long}\n */\n`],
    ['src/ui/inside.tsx', `{/* ${long} */}\n`],
    ['src/ui/after.ts', `export const one = 1 // ${long}\n`],
    ['src/ui/style.css', `/* ${long} */\n`],
    ['src/widget/part.ts', `/** ${long} */\n`],
  ]
  const output = await plant(planted, () => checkComments(house))
  for (const [path] of planted) expect(output).toContain(path)
})

test('dead code is found', async () => {
  await put('knip.json', JSON.stringify({ entry: ['server/app.ts'], project: ['engine/**/*.ts'], include: ['files'] }))
  const output = await plant([['engine/planted.ts', 'export const unused = 1\n']], () =>
    call('knip', ['--no-progress'], house),
  )
  await rm(join(house, 'knip.json'))
  expect(output).toContain('engine/planted.ts')
})

test('the lockfile has an entry for each platform, without which npm ci refuses it elsewhere', async () => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const named = Object.values(lock.packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
  const present = new Set(Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)))
  expect(named.filter((name) => !present.has(name))).toEqual([])
})

interface Lockfile {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>
}

test('the graph of the modules is that of their declarations, and stands in the README of the server', async () => {
  const declared = declaredModules()
  const running = modules.map(({ name, purpose, needs }) => [name, { purpose, needs: Object.keys(needs) }])
  expect(declared).toEqual(Object.fromEntries(running))
  const readme = await readFile(join(root, 'server/README.md'), 'utf8')
  expect(readme).toContain(
    graphOf()
      .map((line) => line.trimEnd())
      .join('\n'),
  )
})

test('a table belongs to the one module that describes its rows', async () => {
  const owners: string[] = []
  for (const { name, tables } of modules) {
    const folder = join(root, 'server/modules', name)
    const files = (await readdir(folder, { recursive: true })).filter((path) => basename(path) === 'tables.ts')
    const sources = await Promise.all(files.map((path) => readFile(join(folder, path), 'utf8')))
    const described = sources.flatMap((source) => {
      const [, block = ''] = /interface Database \{\n([^}]*)\}/.exec(source) ?? []
      return [...block.matchAll(/^ *(\w+):/gm)].map(([, table]) => table)
    })
    expect([name, ...described.sort()]).toEqual([name, ...tables.toSorted()])
    owners.push(...tables)
  }
  expect(owners).toHaveLength(new Set(owners).size)
})

test('a module that needs itself by way of another is refused, as is one that is none', async () => {
  const declare = (name: string, needs: string) =>
    put(`declared/${name}/module.ts`, `export const ${name} = defineModule({ name: '${name}', needs: { ${needs} } })\n`)
  const read = () => declaredModules(join(house, 'declared'))
  await Promise.all([declare('one', 'other'), declare('other', '')])
  expect(Object.keys(read())).toEqual(['other', 'one'])
  await declare('other', 'one')
  expect(read).toThrow('other → one → other')
  await declare('other', 'third')
  expect(read).toThrow('other needs third')
  await rm(join(house, 'declared'), { recursive: true })
})
