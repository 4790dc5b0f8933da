import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { parseFlowFile } from '../../../engine/flow/parseFlow'
import { emptyFlow, type FlowFile } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { startBucketServer } from '../../../tests/support/bucketServer'
import { typebotFiles, typebotSource } from '../../../tests/support/typebot'
import { buildCli } from '../build.mjs'

/** The bundled command line as a separate process, as `npx parley` runs it. */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const built = join(root, `build/parley-test-${process.pid}`)
let folder: string
beforeAll(async () => {
  ;[folder] = await Promise.all([mkdtemp(join(tmpdir(), 'parley-cli-')), buildCli(built)])
})
afterAll(() => Promise.all([built, folder].map((path) => rm(path, { recursive: true, force: true }))))

interface Ended {
  code: number | null
  out: string
  err: string
}

function parley(args: string[], { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {}) {
  const child = spawn(process.execPath, [join(built, 'parley.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  })
  const ended: Ended = { code: null, out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    ended.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    ended.err += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ ...ended, code })))
}

const stored = (id: string, kind: string, data: object = {}) => {
  const definition = registry.get(kind)
  const defaults = definition.defaults(() => `${id}-item`) as object
  return {
    id,
    kind,
    version: definition.migrations.length,
    data: { ...defaults, ...data } as FlowFile['groups'][0]['blocks'][0]['data'],
  }
}
const says = (id: string, text: string) => stored(id, 'text', { content: plainRichText(text) })
const write = async (name: string, file: object | string) => {
  const path = join(folder, name)
  await writeFile(path, typeof file === 'string' ? file : JSON.stringify(file))
  return path
}

/** Asks for the name, waits a day, goes through another flow, thanks. */
const hotel = (thanks = 'Thank you'): FlowFile => ({
  ...emptyFlow(),
  variables: [{ id: 'v', name: 'guest', value: null }],
  groups: [
    {
      id: 'g1',
      title: 'Reception',
      position: { x: 0, y: 0 },
      blocks: [
        stored('s', 'start'),
        says('hello', 'Who are you?'),
        stored('ask', 'text-input', { saveTo: 'v' }),
        stored('wait', 'wait', { amount: 1, unit: 'days' }),
        stored('visit', 'go-to', { to: 'flow', flowId: 'flow-1' }),
        says('thank', thanks),
      ],
    },
    { id: 'g2', title: 'Never', position: { x: 0, y: 0 }, blocks: [says('never', 'Never')] },
  ],
  flows: [
    {
      id: 'flow-1',
      title: 'Rooms',
      edges: [],
      variables: [],
      groups: [
        { id: 'r', title: 'Room', position: { x: 0, y: 0 }, blocks: [stored('rs', 'start'), says('room', 'Room 7')] },
      ],
    },
  ],
})

describe('parley run', () => {
  test('talks from piped lines, through waits and other flows, and keeps the conversation', async () => {
    const file = await write('hotel.json', hotel())
    const ran = await parley(['run', file, '--fast', '--keep', 'kept.json', '--name', 'Ada'], { input: 'Ada\n' })
    expect(ran).toMatchObject({ code: 0, err: 'Kept as a test in kept.json.\n' })
    expect(ran.out.split('\n').filter((line) => /^(Bot|You)/.test(line))).toEqual([
      'Bot: Who are you?',
      'You: Ada',
      'Bot: Room 7',
      'Bot: Thank you',
    ])
    const again = await parley(['test', file, 'kept.json', '--uncovered'])
    expect(again.code).toBe(0)
    expect(again.out).toContain('ok       Ada\n')
    expect(again.out).toContain('not reached: Main flow > Never\n')
    expect(again.out).toContain('1 ok, 0 changed; groups reached 2 of 3')
  })

  test('a wait takes its time and uses up no line that is piped in', async () => {
    const file = hotel()
    const [group] = file.groups
    group?.blocks.splice(2, 2, stored('pause', 'wait', { amount: 1, unit: 'seconds' }), stored('ask', 'text-input'))
    const ran = await parley(['run', await write('pause.json', file)], { input: 'Ada\n' })
    expect(ran.out).toMatch(/Who are you\?\nYou: Ada\nBot: Room 7/)
  })

  test('says that the conversation waits when the lines are over', async () => {
    const ran = await parley(['run', await write('waits.json', hotel())])
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('(The conversation waits for an answer.)')
  })

  test('calls outside through the guard, and private networks where it is allowed to', async () => {
    const server = createServer((_, response) => {
      response.end('secret')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const calling = {
      ...emptyFlow(),
      groups: [
        {
          id: 'g',
          title: 'Call',
          position: { x: 0, y: 0 },
          blocks: [stored('s', 'start'), stored('call', 'http-request', { url: { type: 'static', value: url } })],
        },
        { id: 'good', title: 'Good', position: { x: 400, y: 0 }, blocks: [says('good-text', 'It answered')] },
        { id: 'bad', title: 'Bad', position: { x: 400, y: 200 }, blocks: [says('bad-text', 'It did not')] },
      ],
      edges: [
        { from: { blockId: 'call', portId: 'success' }, to: { groupId: 'good' } },
        { from: { blockId: 'call', portId: 'failure' }, to: { groupId: 'bad' } },
      ],
    }
    const file = await write('calling.json', calling)
    expect((await parley(['run', file])).out).toContain('Bot: It did not')
    expect((await parley(['run', file], { env: { OUTBOUND_ALLOW: '127.0.0.1' } })).out).toContain('Bot: It answered')
    server.close()
  })

  test('starts variables as told, and names one that is not there', async () => {
    const file = await write('vars.json', hotel())
    const ran = await parley(['run', file, '--var', 'guest:=["a"]'], { input: '/vars\n' })
    expect(ran.out).toContain('guest = ["a"]')
    expect(await parley(['run', file, '--var', 'gest=x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no variable "gest". There are: guest'),
    })
  })
})

describe('parley test', () => {
  test('names exactly the place where a text changed, exits with 1, and takes the new one when told', async () => {
    const before = await write('before.json', hotel())
    const after = await write('after.json', hotel('Thanks a lot'))
    await parley(['run', before, '--fast', '--keep', 'change.json', '--name', 'Ada'], { input: 'Ada\n' })
    const changed = await parley(['test', after, 'change.json'])
    expect(changed.code).toBe(1)
    expect(changed.out).toContain(
      'changed  Ada\n' +
        '         turn 3, Main flow > Reception > Text: says something else\n' +
        '           expected Thank you\n' +
        '           now      Thanks a lot\n',
    )
    const json = JSON.parse((await parley(['test', after, 'change.json', '--json'])).out)
    expect(json.results[0].differences.map((one: { type: string } | null) => one?.type ?? null)).toEqual([
      null,
      null,
      'said',
    ])
    expect((await parley(['test', after, 'change.json', '--update'])).code).toBe(0)
    expect((await parley(['test', after, 'change.json'])).code).toBe(0)
    expect((await parley(['test', before, 'change.json'])).code).toBe(1)
  })

  test('refuses what is no test', async () => {
    const file = await write('flow.json', hotel())
    expect(await parley(['test', file, file])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/flow\.json: The file is not a test.*parley-recording/),
    })
  })
})

/** A sample, since processes are slow; all files are imported, run and arranged in other tests. */
const sample = typebotFiles().filter((_, index) => index % (process.env.FULL ? 6 : 40) === 0)

test.each(sample)('%s is imported, exported, checked, arranged', async (name) => {
  const imported = await parley(['import', await write(name, typebotSource(name)), '-o', `own-${name}`])
  expect(imported).toMatchObject({ code: 0, out: '', err: expect.stringContaining('Read as typebot') })
  const text = await readFile(join(folder, `own-${name}`), 'utf8')
  const [exported, checked, arranged] = await Promise.all(
    [['export'], ['check', '--json'], ['layout']].map(([command = '', ...options]) =>
      parley([command, `own-${name}`, ...options]),
    ),
  )
  expect(exported?.out).toBe(text)
  const found = JSON.parse(checked?.out ?? '') as { severity: string }[]
  expect(checked?.code).toBe(found.some(({ severity }) => severity === 'error') ? 1 : 0)
  expect(arranged?.code).toBe(0)
  expect(parseFlowFile(arranged?.out, registry).main.groups).toHaveLength(
    parseFlowFile(text, registry).main.groups.length,
  )
})

test('a flow with errors is told by place, with exit code 1', async () => {
  const file = hotel()
  file.groups[0]?.blocks.push(stored('empty', 'set-variable'))
  const checked = await parley(['check', await write('errors.json', file)])
  expect(checked.code).toBe(1)
  expect(checked.out).toMatch(/^error .*Reception: /m)
  expect(checked.out).toMatch(/errors\.json: \d+ errors/)
})

/** Each is a process that reads all of its modules: two seconds. */
const wrongCalls: [string[], RegExp][] = [
  [['check', 'gone.json'], /gone\.json can't be read: there is no such file/],
  [['check', 'broken.json'], /broken\.json: .*JSON/],
  [['export', 'broken.json'], /broken\.json: .*JSON/],
  [['check'], /Give a file\.\n\nparley check/],
  [['check', 'a', 'b'], /one argument too many: b/],
  [['check', 'a', '--nope'], /--nope/],
  [['fly'], /There is no command "fly"/],
  [['run', 'hotel2.json', '--event', 'x'], /--event x: give url=/],
]
test.each(wrongCalls.filter((_, index) => index % (process.env.FULL ? 1 : 4) === 0))(
  '%s says what is wrong and exits with 2',
  async (args, reason) => {
    await write('broken.json', '{"format":')
    await write('hotel2.json', hotel())
    expect(await parley(args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(reason) })
  },
)

test('help prints the whole usage, or that of one command', async () => {
  expect((await parley([])).out).toContain('Usage: parley')
  expect((await parley(['help', 'run'])).out).toMatch(/^parley run/)
  expect((await parley(['test', '--help'])).out).toMatch(/^parley test/)
})

test('values of secrets come from a file or the environment, and those without one are named', async () => {
  const received: (string | undefined)[] = []
  const server = createServer((request, response) => {
    received.push(request.headers.authorization)
    response.end(request.headers.authorization)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { auth } = registry.get('http-request').defaults(() => 'x') as { auth: object }
    const call = stored('call', 'http-request', {
      url: { type: 'static', value: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
      auth: {
        ...auth,
        type: 'bearer',
        token: { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'secret_CRM_TOKEN' }] },
      },
      mapping: [{ id: 'm', from: 'body', path: '$', variableId: 'v' }],
    })
    const said = stored('said', 'text', {
      content: [{ type: 'paragraph', children: [{ text: '', variable: true, variable_id: 'v' }] }],
    })
    const flow = await write('secret.json', {
      ...emptyFlow(),
      variables: [{ id: 'v', name: 'v', value: null }],
      groups: [{ id: 'g', title: 'G', position: { x: 0, y: 0 }, blocks: [stored('start', 'start'), call, said] }],
    })
    const env = { OUTBOUND_ALLOW: '127.0.0.1' }
    const missing = await parley(['run', flow], { env })
    expect(missing.err).toContain('CRM_TOKEN')
    expect(received).toEqual([])
    const fromEnvironment = await parley(['run', flow], { env: { ...env, SECRET_CRM_TOKEN: 'of-the-environment' } })
    const file = await write('secrets.env', '# ours\nCRM_TOKEN=of-the-file\n')
    const fromFile = await parley(['run', flow, '--secrets', file], { env })
    expect(received).toEqual(['Bearer of-the-environment', 'Bearer of-the-file'])
    expect(fromEnvironment.out + fromFile.out).toContain('••••')
    expect(fromEnvironment.out + fromFile.out).not.toContain('of-the')
  } finally {
    server.close()
  }
})

describe('parley files', () => {
  test('copies the files of the folder to the bucket and back, and says what was there before', async () => {
    const service = await startBucketServer()
    const { bucket, endpoint, accessKeyId, secretAccessKey } = service.settings
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-files-'))
    const env = {
      ...{ DATA_DIR: dataDir, S3_BUCKET: bucket, S3_ENDPOINT: endpoint },
      ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
    }
    expect(await parley(['files', 'move'], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('holds no files'),
    })
    const name = createHash('sha256').update('hello').digest('hex')
    await mkdir(join(dataDir, 'files/1'), { recursive: true })
    await writeFile(join(dataDir, 'files/installation-id'), 'ours\n')
    await writeFile(join(dataDir, 'files/1', name), 'hello')
    const moved = await parley(['files', 'move'], { env })
    expect(moved).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('1 file of 0.0 MB copied to the bucket'),
    })
    expect((await parley(['files', 'move'], { env })).out).toContain(
      '0 files of 0.0 MB copied to the bucket parley-files; 1 were there before.',
    )
    await rm(join(dataDir, 'files'), { recursive: true })
    expect((await parley(['files', 'move', '--back'], { env })).code).toBe(0)
    expect(await readFile(join(dataDir, 'files/1', name), 'utf8')).toBe('hello')
    await writeFile(join(dataDir, 'files/installation-id'), 'others\n')
    expect((await parley(['files', 'move'], { env })).err).toContain('holds the files of another installation')
    expect((await parley(['files', 'move'], { env: { DATA_DIR: dataDir } })).err).toContain('S3_BUCKET is not set')
    await service.close()
    await rm(dataDir, { recursive: true })
  })
})
