import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { registry } from '../../../../blocks/registry'
import { httpEffect } from '../../../../engine/effects/http'
import type { BotMessage } from '../../../../engine/flow/conversation'
import type { Flow } from '../../../../engine/flow/schema'
import { bareRecording } from '../../../../engine/run/recordingReplay'
import { richTextToString } from '../../../../engine/values/richText'
import { bundleForNode } from '../../../../tests/support/bundle'
import { flowAround } from '../../../../tests/support/conversations'
import { createTestDatabase, type TestDatabase } from '../../../../tests/support/database'
import { reading } from '../../../../tests/support/effects'
import { insertPublishedFlow, type PublishedFlow } from '../../../../tests/support/publishedFlow'
import { runtimeContext } from '../../../../tests/support/runtimeContext'
import { parseConfig } from '../../../platform/config/config'
import type { EffectHandler } from '../../../platform/effects/handleEffect'
import { createRuntime, type Runtime } from './createRuntime'
import { createTurnThreads, type ThreadOptions, type TurnTask, type TurnThreads } from './turnThreads'

type Said = Extract<BotMessage, { kind: 'text' }>

let folder: string
let built: Awaited<ReturnType<typeof bundleForNode>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-threads-'))
  built = await bundleForNode('server/modules/conversations/runtime/turnWorker.ts')
})
afterAll(async () => {
  await built.remove()
  await rm(folder, { recursive: true })
})

/**
 * A thread that does as the version's name says: ends the turn, never ends it, fails, asks the time, or fills its
 * memory.
 * @param gate a file before which it does not start
 */
async function scripted(gate: string | null = null): Promise<string> {
  const file = join(folder, `thread-${gate === null}.mjs`)
  const program = `import { existsSync } from 'node:fs'
    import { parentPort } from 'node:worker_threads'
    while (${gate !== null} && !existsSync(${JSON.stringify(gate)}));
    let loaded = new Set()
    parentPort.on('message', (message) => {
      const tell = (told) => parentPort.postMessage({ spent: 0, ...told })
      if (message.type === 'load') return loaded.add(message.key), tell({ type: 'loaded' })
      if (message.type === 'answer') return tell({ type: 'done', result: message.result })
      const { key, given = [] } = message.task ?? message
      if (!loaded.has(key)) return tell({ type: 'lacks' })
      if (key.startsWith('endless')) for (;;);
      if (key.startsWith('crash')) process.exit(3)
      if (key.startsWith('fill')) for (const all = []; ; ) all.push(new Array(1e6).fill(all.length))
      if (key.startsWith('held')) return
      if (key.startsWith('asks')) return tell({ type: 'asks', effect: { type: 'now', key: '1.0' } })
      tell({ type: 'done', result: [key, ...given] })
    })`
  await writeFile(file, program)
  return file
}

const task = (key: string): TurnTask => ({
  key,
  session: {} as TurnTask['session'],
  input: { type: 'continue' },
  pauses: null,
  given: [],
})
const source = async () => ({ flow: '{}', flows: '{}', model: null, asksMeaning: false })
const limits = { turn: 1_500, replay: 1_500, load: 10_000 }
const waiting = { project: 3, all: 5 }
/** Where it is not about the time, a slow machine may take all of it. */
const patient = { turn: 50_000, replay: 50_000, load: 50_000 }

/** Time passes as the test says, until the function that this gives is called. */
function holdTime(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => void vi.useRealTimers()
}
afterEach(() => void vi.useRealTimers())

describe('threads', () => {
  let threads: TurnThreads
  const open = async (options: ThreadOptions = {}) => {
    threads = createTurnThreads({ file: await scripted(), size: 2, limits, waiting, ...options })
  }
  const run = async (project: string, key: string) => {
    const outcome = await threads.run(project, task(key), source, () => 'noon')
    return outcome === 'lost' ? 'lost' : outcome.done ? outcome.result : outcome.effect
  }
  afterEach(() => threads.close())

  it('give a version once to each thread that lacks it, and carry out turns of it', async () => {
    await open({ size: 1, limits: patient })
    let given = 0
    const counted = () => {
      given++
      return source()
    }
    for (const key of ['a', 'b', 'a'])
      expect(await threads.run('p', task(key), counted, () => null)).toMatchObject({ done: true, result: [key] })
    expect(given).toBe(2)
  })

  it('ask for the time on the way, and end where an effect has no answer at once', async () => {
    await open({ limits: patient })
    expect(await run('p', 'asks')).toBe('noon')
    const outcome = await threads.run('p', task('asks'), source, () => undefined)
    expect(outcome).toMatchObject({ done: false, effect: { type: 'now' } })
    expect(await run('p', 'a')).toEqual(['a'])
  })

  it('are replaced when a turn takes too long, ends them, or fills their memory', async () => {
    await open({ size: 1 })
    for (const key of ['endless', 'crash', 'fill']) {
      expect([key, await run('p', key)]).toEqual([key, 'lost'])
      expect(await run('p', 'after')).toEqual(['after'])
    }
  })

  it('are given their time for a turn once they have started', async () => {
    const gate = join(folder, 'gate')
    await open({ size: 1, file: await scripted(gate) })
    const letGo = holdTime()
    const outcome = run('p', 'a')
    vi.advanceTimersByTime(limits.turn)
    letGo()
    await writeFile(gate, '')
    expect(await outcome).toEqual(['a'])
  })

  it('leave one project’s turns a way past those of another', async () => {
    await open()
    const order: string[] = []
    const turns = [...['held-1', 'held-2', 'held-3'].map((key) => ['one', key] as const), ['two', 'a'] as const]
    await Promise.all(turns.map(([project, key]) => run(project, key).then(() => order.push(key))))
    expect(order).toEqual(['a', 'held-1', 'held-2', 'held-3'])
  })

  it('refuse turns when too many of a project wait, or of all', async () => {
    await open({ limits: patient })
    const at = (project: string, count: number) => Array.from({ length: count }, (_, n) => run(project, `held-${n}`))
    const refused: string[] = []
    const note = (name: string) => (error: { code?: string }) => void refused.push(`${name} ${error.code}`)
    for (const turn of at('one', 5)) turn.catch(note('one'))
    for (const turn of at('two', 1)) turn.catch(note('two'))
    for (const turn of at('three', 3)) turn.catch(note('three'))
    await expect.poll(() => refused).toEqual(['one overloaded', 'three overloaded'])
    threads.close()
    await expect.poll(() => refused.length).toBe(9)
  })
})

describe('a runtime with threads', () => {
  let database: TestDatabase
  const runtimes: Runtime[] = []
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(async () => {
    await Promise.all(runtimes.splice(0).map((runtime) => runtime.close()))
    await database.close()
  })

  function runtimeWith(threads: TurnThreads, handlers: EffectHandler[] = []): Runtime {
    const runtime = createRuntime(
      runtimeContext({
        db: database.db,
        config: parseConfig({}),
        registry,
        clock: () => new Date('2026-01-01T00:00:00Z'),
        ids: () => randomBytes(8).toString('hex'),
        log: pino({ level: 'silent' }),
      }),
      handlers,
      25_000,
      threads,
    )
    runtimes.push(runtime)
    return runtime
  }

  /** Threads that count the turns that they are given. */
  function counting(options: ThreadOptions = {}) {
    const threads = createTurnThreads({ file: built.entry, limits: patient, ...options })
    const runs: number[] = []
    const run: TurnThreads['run'] = (projectId, given, ...rest) => {
      runs.push(given.given.length)
      return threads.run(projectId, given, ...rest)
    }
    return { runs, threads: { ...threads, run } }
  }

  const still = (value: string) => ({ type: 'static' as const, value })
  const set = (variableId: string, source: string) => ({
    kind: 'set-variable',
    data: { variableId, mode: 'expression', value: still(source), takeTo: null },
  })
  const asks = (saveTo: string) => ({
    kind: 'text-input',
    data: { ...registry.get('text-input').defaults(() => 'x'), saveTo },
  })
  const says = (variable_id: string) => ({
    kind: 'text',
    data: {
      content: [{ type: 'paragraph', children: [{ text: 'It is ' }, { text: '', variable: true, variable_id }] }],
    },
  })
  const calls = (saveTo: string) => ({
    kind: 'http-request',
    data: {
      ...registry.get('http-request').defaults(() => 'x'),
      url: still('https://a.example/'),
      mapping: [{ id: 'm', from: 'body', path: '$.name', variableId: saveTo }],
    },
  })
  const sets = (variableId: string, mode: 'now' | 'random') => ({
    kind: 'set-variable',
    data: { variableId, mode, value: still(''), takeTo: null },
  })

  function flowOf(blocks: { kind: string; data: unknown }[]): Flow {
    const around = flowAround('end', {}, { a: null, b: null, c: null, time: null })
    const start = around.groups[0]?.blocks[0]
    const stored = blocks.map(({ kind, data }, at) => ({
      id: `b${at}`,
      kind,
      version: registry.find(kind)?.migrations.length ?? 0,
      data: data as Record<string, never>,
    }))
    const groups = around.groups.map((group) => ({ ...group, blocks: start ? [start, ...stored] : stored }))
    return { ...around, groups }
  }

  /** More than the server's own thread has time for, and less than a turn may take. */
  const HEAVY = 'length(split(repeat("ab", 300000), "a"))'
  const answering = reading(httpEffect, async () => ({
    ok: true,
    status: 200,
    headers: {},
    body: { name: 'Ada' },
    key: 'k',
    ms: 1,
  }))

  const start = (runtime: Runtime, flow: PublishedFlow, clientId = 'start-0001') =>
    runtime.start({ ...flow, environment: 'sharing', clientId, startedBy: null })

  async function whatStands(ref: { id: string; run_id: string }) {
    const of = (table: 'turn_records' | 'effects') =>
      database.db.selectFrom(table).selectAll().where('run_id', '=', ref.run_id)
    const said = database.db.selectFrom('messages').select('content').where('conversation_id', '=', ref.id)
    const row = await database.db.selectFrom('runs').selectAll().where('id', '=', ref.run_id).executeTakeFirstOrThrow()
    const { sys_conversation_id: _, ...variables } = row.session.variables
    const messages: { content: BotMessage }[] = await said.orderBy('seq').execute()
    const records = (await of('turn_records').orderBy('turn').execute()) as { trace: unknown; stopped: unknown }[]
    const effects = (await of('effects').orderBy('turn').orderBy('position').execute()) as {
      turn: number
      type: string
      status: string
    }[]
    return {
      state: row.state,
      session: { ...row.session, variables },
      messages: messages.map(({ content }) => content),
      records: records.map(({ trace, stopped }) => ({ trace, stopped })),
      effects: effects.map(({ turn, type, status }) => ({ turn, type, status })),
    }
  }

  it('carries out a heavy turn with its calls just as without', async () => {
    const flow = flowOf([
      asks('a'),
      sets('time', 'now'),
      set('b', HEAVY),
      says('b'),
      calls('c'),
      set('b', `${HEAVY} + 1`),
      says('c'),
      asks('a'),
      says('a'),
    ])
    const outcomes = []
    const { threads, runs } = counting()
    for (const used of [createTurnThreads({ file: null }), threads]) {
      const runtime = runtimeWith(used, [answering])
      const { ref } = await start(runtime, await insertPublishedFlow(database.db, flow))
      await runtime.reply(ref, 'message-1', { type: 'text', text: 'x' })
      await runtime.reply(ref, 'message-2', { type: 'text', text: 'y' })
      outcomes.push(await whatStands(ref))
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(outcomes[1]?.messages).toHaveLength(5)
    expect(outcomes[1]?.records.map(({ stopped }) => stopped)).toEqual([null, null, null])
    // the time was asked before; after the call the turn begins anew with it and the answer. A turn that is none too
    // heavy ends this
    expect(runs).toEqual([1, 2, 0])
    const runtime = runtimes[1] as Runtime
    const light = await start(runtime, await insertPublishedFlow(database.db, flowOf([asks('a')])), 'start-0002')
    await runtime.reply(light.ref, 'message-1', { type: 'text', text: 'x' })
    expect(runs).toHaveLength(3)
  })

  it('goes on with a heavy turn that a crash cut in its call, with the chance that was drawn', async () => {
    const flow = await insertPublishedFlow(
      database.db,
      flowOf([asks('a'), sets('b', 'random'), set('c', HEAVY), calls('c'), set('time', `${HEAVY}`), says('b')]),
    )
    let called = () => {}
    const inCall = new Promise<void>((resolve) => {
      called = resolve
    })
    const dying = reading(httpEffect, () => {
      called()
      return new Promise(() => {})
    })
    const first = runtimeWith(counting().threads, [dying])
    const { ref } = await start(first, flow)
    first.reply(ref, 'message-1', { type: 'text', text: 'x' }).catch(() => undefined)
    await inCall
    const drawn = (await database.db.selectFrom('effects').selectAll().where('type', '=', 'random').execute()).map(
      ({ result }) => result,
    )
    await first.close()

    const { threads, runs } = counting()
    const second = runtimeWith(threads, [answering])
    expect(await second.recover()).toBe(1)
    const { messages, state } = await whatStands(ref)
    const id = drawn
      .map((chance) =>
        Math.floor(Number(chance) * 36 ** 4)
          .toString(36)
          .padStart(4, '0'),
      )
      .join('')
    const words = messages.map((message) => richTextToString((message as Said).text, () => ''))
    expect([drawn.length, words, state]).toEqual([4, ['x', `It is ${id}`], 'ended'])
    expect(runs.length).toBeGreaterThan(0)
  })

  it('stops a turn that takes its thread too long, while other conversations are answered', async () => {
    const { threads } = counting({ file: await scripted(), limits, size: 2 })
    let isLost = false
    const runtime = runtimeWith({
      ...threads,
      async run(id, given, ...rest) {
        const outcome = await threads.run(id, { ...given, key: 'endless' }, ...rest)
        isLost = outcome === 'lost'
        return outcome
      },
    })
    const heavy = await insertPublishedFlow(database.db, flowOf([set('b', HEAVY), says('b')]))
    const light = await insertPublishedFlow(database.db, flowOf([asks('a'), says('a'), asks('a'), says('a')]))
    const order: string[] = []
    const letGo = holdTime()
    const stopped = start(runtime, heavy).then(({ ref }) => {
      order.push('heavy')
      return ref
    })
    const { ref } = await start(runtime, light, 'start-0002')
    for (const n of [1, 2]) {
      await runtime.reply(ref, `message-${n}`, { type: 'text', text: 'x' })
      order.push(`light ${n}`)
    }
    const pass = () => {
      if (!isLost) vi.advanceTimersByTime(limits.turn)
      return isLost
    }
    await expect.poll(pass).toBe(true)
    letGo()
    const { messages, records, state } = await whatStands(await stopped)
    expect(order).toEqual(['light 1', 'light 2', 'heavy'])
    expect(state).toBe('ended')
    expect(JSON.stringify(messages)).toContain('Sorry, something went wrong here.')
    expect(records).toMatchObject([{ stopped: { reason: 'too-much-work' } }])
  })

  it('begins a heavy turn anew when another process had the next turn meanwhile', async () => {
    const flow = await insertPublishedFlow(
      database.db,
      flowOf([asks('a'), set('b', HEAVY), says('a'), asks('a'), set('b', HEAVY), says('a')]),
    )
    const other = runtimeWith(createTurnThreads({ file: null }))
    const { threads, runs } = counting()
    let cutsIn = true
    const runtime = runtimeWith({
      ...threads,
      async run(...given) {
        const outcome = await threads.run(...given)
        if (cutsIn) {
          cutsIn = false
          await other.reply(ref, 'message-2', { type: 'text', text: 'other' })
        }
        return outcome
      },
    })
    const { ref } = await start(runtime, flow)
    const { messages } = await runtime.reply(ref, 'message-1', { type: 'text', text: 'mine' })
    const words = async () =>
      (await whatStands(ref)).messages.map((message) => richTextToString((message as Said).text, () => ''))
    expect(messages).toHaveLength(2)
    expect(await words()).toEqual(['other', 'It is other', 'mine', 'It is mine'])
    expect(runs).toHaveLength(2)
  })

  it('holds no connection while heavy turns wait for a thread', async () => {
    const { threads } = counting({ file: await scripted(), limits: { ...limits, turn: 20_000 }, size: 2 })
    const runtime = runtimeWith({
      ...threads,
      run: (id, given, ...rest) => threads.run(id, { ...given, key: 'held' }, ...rest),
    })
    const heavy = await insertPublishedFlow(database.db, flowOf([set('b', HEAVY)]))
    const light = await insertPublishedFlow(database.db, flowOf([asks('a'), says('a')]))
    const held = Array.from({ length: 21 }, (_, n) => start(runtime, heavy, `start-${n}`).catch(() => undefined))
    const { ref } = await start(runtime, light, 'start-0100')
    await runtime.reply(ref, 'message-1', { type: 'text', text: 'x' })
    expect((await whatStands(ref)).state).toBe('ended')
    await runtime.close()
    await Promise.all(held)
  })

  it('replays recorded conversations in a thread as it would here', async () => {
    const flow = flowOf([asks('a'), set('b', HEAVY), says('b'), calls('c'), says('c')])
    const recording = bareRecording({
      name: 'Ada',
      event: { type: 'start' },
      variables: {},
      turns: [
        { reply: null, answers: [] },
        { reply: { type: 'text', text: 'x' }, answers: [] },
      ],
    })
    const { threads } = counting()
    const version = { flow: JSON.stringify(flow), flows: '{}' }
    const replayed = []
    for (const used of [createTurnThreads({ file: null }), threads]) {
      const replay = await runtimeWith(used).replays('1', version, [])
      replayed.push(await replay(recording), await replay(recording))
    }
    expect(replayed[2]).toEqual(replayed[0])
    expect(replayed[3]).toEqual(replayed[0])
    expect(replayed[0]?.present.turns[1]?.expected.ended).toBe(true)

    const late = createTurnThreads({ file: await scripted(), limits })
    const endless = await runtimeWith({
      ...late,
      replay: (id, _key, ...rest) => late.replay(id, 'endless', ...rest),
    }).replays('1', version, [])
    await expect(endless(recording)).rejects.toThrow('“Ada” takes too long to replay')
  })

  it('stops a turn in a thread that has spent its budget, as it would here', async () => {
    const { threads, runs } = counting()
    const runtime = runtimeWith(threads)
    const many = Array.from({ length: 30 }, () => set('b', HEAVY))
    const { ref } = await start(runtime, await insertPublishedFlow(database.db, flowOf(many)))
    const { records } = await whatStands(ref)
    expect(records).toMatchObject([{ stopped: { reason: 'too-much-work', at: { groupId: 'g' } } }])
    expect(runs).toEqual([0])
  })
})
