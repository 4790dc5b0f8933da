import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../tests/support/client'
import { onnxFiles } from '../../tests/support/onnxModel'
import { linesOf, writePdf } from '../../tests/support/pdf'
import { createDocumentReader } from '../modules/knowledge/documents/readDocument'
import { readLists } from '../modules/knowledge/lexicon/lists'
import { embedTexts, packModel } from '../modules/models/local/tasks'
import { renderMail } from '../platform/mail/tasks'
import { createThreads } from '../platform/workers/createThreads'
import { ensureBuilt } from './prepare.mjs'
import { packagesFor } from './selfContained.mjs'
import { dist, root } from './sources.mjs'

/** A copy of what is built, elsewhere: no folder above it has packages. */
let place: string
let copy: string
beforeAll(async () => {
  ensureBuilt()
  place = await mkdtemp(join(tmpdir(), 'parley-elsewhere-'))
  copy = join(place, 'parley')
  // PostgreSQL's account has to read it
  await mkdir(copy, { mode: 0o755 })
  await cp(dist, copy, { recursive: true, verbatimSymlinks: true })
  await chmod(place, 0o755)
})
afterAll(() => rm(place, { recursive: true, force: true }))

const filesOf = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).map((entry) => join(entry.parentPath, entry.name))

/** Names of packages that a program loads: of what follows `from`, `import` and `require`. */
const LOADED = /(?:\bfrom|\bimport|\brequire\()\s*\(?["'`](@[\w.-]+\/[\w.-]+|[\w][\w.-]*)(?:\/[\w./-]+)?["'`]/g
/** Only in texts: of programs that packages can write, which nobody asks them to, and of an error of tsyringe's. */
const IN_TEXTS = ['ajv', 'ajv-formats', 'fast-json-stringify', 'reflect-metadata']

test('it has every package that its programs load, and all that those depend on', async () => {
  const programs = (await filesOf(join(copy, 'server'))).filter((path) => path.endsWith('.js'))
  const named = new Set<string>()
  for (const path of [...programs, ...(await filesOf(join(copy, 'firstView')))])
    for (const [, name = ''] of (await readFile(path, 'utf8')).matchAll(LOADED)) named.add(name)
  const installed = (name: string) => lstat(join(root, 'node_modules', name)).catch(() => null)
  const packages = []
  for (const name of named)
    if (![...builtinModules, ...IN_TEXTS].includes(name) && (await installed(name))) packages.push(name)
  expect(packages).toEqual(
    expect.arrayContaining(['pino', 'onnxruntime-web', '@node-rs/argon2', '@react-email/render']),
  )
  const missing = []
  for (const folder of await packagesFor(packages)) {
    const there = await lstat(join(copy, relative(root, folder), 'package.json')).catch(() => null)
    if (!there) missing.push(relative(root, folder))
  }
  expect(missing).toEqual([])
})

test('it stays below 250 MB, has licences, and no link leads out of it', async () => {
  let bytes = 0
  const out = []
  for (const path of await filesOf(copy)) {
    const found = await lstat(path)
    bytes += found.size
    const target = found.isSymbolicLink() ? await realpath(path).catch(() => 'nowhere') : copy
    if (!target.startsWith(copy)) out.push(`${path} -> ${target}`)
  }
  expect(out).toEqual([])
  expect(bytes).toBeLessThan(250_000_000)
  expect(await readFile(join(copy, 'LICENSE'), 'utf8')).toContain('Apache License')
})

test('it has what a start would else make of texts', async () => {
  const states = readLists(await readFile(join(copy, 'server/lexicon.bin')))
  expect(states.length).toBe(2)
  expect(readLists(await readFile(join(copy, 'server/usual.bin'))).length).toBe(1)
})

test('its threads read PDFs that name maps of characters, run models, and write mails', async () => {
  const run = createThreads({ timeMs: 60_000, heapMb: 512, program: join(copy, 'server/taskThread.js') })
  const pdf = writePdf([linesOf(['退货须在三十天内寄回。'])], { map: { name: 'UniGB-UCS2-H', ordering: 'GB1' } })
  const signal = new AbortController().signal
  expect(await createDocumentReader(null, run)({ bytes: new Uint8Array(pdf), name: 'a.pdf' }, signal)).toMatchObject({
    markdown: expect.stringContaining('退货须在三十天内寄回。'),
  })
  const folder = join(place, 'model')
  await mkdir(folder)
  for (const [name, bytes] of Object.entries(onnxFiles([['car', 'vehicle'], ['bread']]))) {
    await writeFile(join(folder, basename(name)), bytes)
  }
  await run(packModel, { folder })
  expect(await run(embedTexts, { folder, texts: ['car', 'bread'] })).toEqual([
    new Float32Array([1, 0]),
    new Float32Array([0, 1]),
  ])
  const mail = await run(renderMail, {
    template: 'reset',
    language: 'en',
    name: 'Ada',
    link: 'https://parley.example/reset',
  })
  expect(mail).toMatchObject({ html: expect.stringContaining('https://parley.example/reset') })
  for (const name of ['words.bin', 'taught.bin']) {
    const vectors = await readFile(join(root, 'server/modules/knowledge/meaning', name))
    expect(vectors.equals(await readFile(join(copy, 'server', name)))).toBe(true)
  }
})

test('it starts from any folder, without a PATH, where it can’t write, and serves people, pages and documentation', async () => {
  const data = join(place, 'data')
  const owner = process.getuid?.() === 0 ? { uid: 1, gid: 1 } : {}
  await mkdir(data)
  if (owner.uid) await chown(data, owner.uid, owner.gid)
  const child = spawn(process.execPath, [join(copy, 'parley.mjs'), 'start'], {
    ...owner,
    cwd: '/',
    env: { DATA_DIR: data, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const prints = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [, found] = pattern.exec(said) ?? []
      if (found) return found
      if (child.exitCode !== null) throw new Error(`It ended: ${said}`)
      await Promise.race([once(child, 'said'), once(child, 'close')])
    }
  }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      child.emit('said')
    })
  try {
    const url = await prints(/Parley runs at (\S+)\n/)
    const link = new URL(await prints(/owner's account: (\S+)\n/))
    const status = async (path: string) => (await fetch(url + path)).status
    expect(await Promise.all(['/readyz', '/', '/docs/', '/embed.js', '/c/nobody'].map(status))).toEqual([
      ...[200, 200, 200, 200, 404],
    ])
    const client = await createClient(url)
    const answer = await client.send('POST', '/api/auth/register', {
      first_name: 'Ada',
      last_name: 'Person',
      email: 'ada@example.com',
      password: 'correct horse battery',
      setup_token: link.searchParams.get('setup_token'),
    })
    expect(answer.body).toMatchObject({ success: true })
  } finally {
    const ended = child.exitCode === null ? once(child, 'close') : null
    child.kill('SIGTERM')
    await ended
  }
  expect(child.exitCode).toBe(0)
})

test('anything but `start` is the command line', async () => {
  const child = spawn(process.execPath, [join(copy, 'parley.mjs'), 'help', 'start'], {
    cwd: '/',
    env: {},
    stdio: 'pipe',
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await once(child, 'close')
  expect(said).toContain('parley start')
})
