import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, bench } from 'vitest'
import { bundleForNode } from '../support/bundle'

/**
 * Turns a second of the same conversation, side by side in one run: our engine, XState, Rivet's node runtime. A visitor types a word;
 * it is kept, counted, compared, answered by one of two sentences with the word and the count in them; the next word is asked for.
 * And what a session weighs that waits for its visitor.
 *
 * XState runs it as an actor that lives in memory, and as ours does it: from a stored state to the next. Rivet has no sessions: a
 * turn is a run of its graph, the count is given to it.
 */
const SECONDS = 2
const SESSIONS = 10_000
const PEERS = join(import.meta.dirname, 'peers')

let bundle: Awaited<ReturnType<typeof bundleForNode>>
beforeAll(async () => {
  bundle = await bundleForNode('tests/bench/ownTurns.ts')
  if (existsSync(join(PEERS, 'node_modules/xstate'))) return
  console.info('Installing what the bench compares with…')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: PEERS, stdio: 'inherit' })
  if (status !== 0) throw new Error('The peers could not be installed: `npm ci` failed in tests/bench/peers.')
}, 300_000)
afterAll(() => bundle.remove())

const from = createRequire(join(PEERS, 'package.json'))
const peer = (name: string) => import(pathToFileURL(from.resolve(name)).href)

const wordOf = (count: number): string => (count % 2 ? `yes ${count}` : `no ${count}`)

// XState

interface Context {
  word: string
  count: number
  said: string[]
}
async function xstate() {
  const { setup, assign, createActor } = await peer('xstate')
  type Step = { context: Context; event: { text: string } }
  const say = (text: string) =>
    assign({ said: ({ context }: Step) => [`${text}${context.word}, that is ${context.count}`] })
  const machine = setup({
    guards: { isYes: ({ context }: Step) => context.word.includes('yes') },
  }).createMachine({
    context: { word: '', count: 0, said: [] },
    initial: 'asking',
    states: {
      asking: {
        on: {
          reply: {
            target: 'comparing',
            actions: assign({
              word: ({ event }: Step) => event.text,
              count: ({ context }: Step) => context.count + 1,
              said: [],
            }),
          },
        },
      },
      comparing: { always: [{ guard: 'isYes', target: 'good' }, { target: 'why' }] },
      good: { entry: say('Good, '), always: 'asking' },
      why: { entry: say('Why '), always: 'asking' },
    },
  })
  return { createActor, machine }
}

// Rivet

async function rivet() {
  const { runGraph } = await peer('@ironclad/rivet-node')
  const node = (type: string, id: string, data: object) => ({
    type,
    id,
    title: id,
    visualData: { x: 0, y: 0, width: 200 },
    data,
  })
  const connect = (outputNodeId: string, outputId: string, inputNodeId: string, inputId: string) => ({
    outputNodeId,
    outputId,
    inputNodeId,
    inputId,
  })
  const graph = {
    metadata: { id: 'g', name: 'g', description: '' },
    nodes: [
      node('graphInput', 'word', { id: 'word', dataType: 'string', useDefaultValueInput: false }),
      node('graphInput', 'count', { id: 'count', dataType: 'number', useDefaultValueInput: false }),
      node('match', 'compare', { cases: ['yes'], exclusive: true }),
      node('text', 'good', { text: 'Good, {{word}}, that is {{count}}' }),
      node('text', 'why', { text: 'Why {{word}}, that is {{count}}' }),
      node('coalesce', 'either', {}),
      node('graphOutput', 'said', { id: 'said', dataType: 'string' }),
    ],
    connections: [
      connect('word', 'data', 'compare', 'input'),
      connect('compare', 'case1', 'good', 'word'),
      connect('compare', 'unmatched', 'why', 'word'),
      connect('count', 'data', 'good', 'count'),
      connect('count', 'data', 'why', 'count'),
      connect('good', 'output', 'either', 'input1'),
      connect('why', 'output', 'either', 'input2'),
      connect('either', 'output', 'said', 'value'),
    ],
  }
  const metadata = { id: 'p', title: 'p', description: '', mainGraphId: 'g' }
  const project = { metadata, plugins: [], graphs: { g: graph } }
  return async (word: string, count: number): Promise<string> =>
    (await runGraph(project, { graph: 'g', inputs: { word, count } })).said.value
}

// Measuring

async function perSecond(step: (count: number) => unknown): Promise<number> {
  for (let count = 1; count < 200; count++) await step(count)
  const started = performance.now()
  let count = 200
  for (; performance.now() - started < SECONDS * 1_000; count++) {
    const result = step(count)
    if (result instanceof Promise) await result
  }
  return ((count - 200) * 1_000) / (performance.now() - started)
}

/** vitest.config.ts starts Node with `--expose-gc`. */
const collect = (): void => {
  if (!globalThis.gc) throw new Error('Sessions can’t be weighed: Node runs without --expose-gc.')
  void globalThis.gc()
}

/** Bytes of heap that each of many waiting sessions takes. */
function weigh(create: (index: number) => unknown): number {
  collect()
  const before = process.memoryUsage().heapUsed
  const held = Array.from({ length: SESSIONS }, (_, index) => create(index))
  collect()
  const bytes = (process.memoryUsage().heapUsed - before) / SESSIONS
  if (held.length !== SESSIONS) throw new Error('They were to be held.')
  return bytes
}

function expectSame(name: string, said: unknown): void {
  if (said !== 'Good, yes 1, that is 1')
    throw new Error(`${name} says ${JSON.stringify(said)}: not the same conversation.`)
}

bench(
  'turns beside XState and Rivet',
  async () => {
    const { createActor, machine } = await xstate()
    const runRivet = await rivet()
    const { begin, reply, longestTurn }: typeof import('./ownTurns') = await import(pathToFileURL(bundle.entry).href)
    const first = reply(begin(), 'yes 1').messages[0]
    expectSame('ours', first?.kind === 'text' && first.text[0]?.children.map(({ text }) => text).join(''))
    const begun = () => createActor(machine).start()
    const talked = begun()
    talked.send({ type: 'reply', text: 'yes 1' })
    expectSame('XState', talked.getSnapshot().context.said[0])
    expectSame('Rivet', await runRivet('yes 1', 1))

    let session = begin()
    const ours = await perSecond((count) => {
      session = reply(session, wordOf(count)).session
    })
    let stored = JSON.stringify(begin())
    const oursStored = await perSecond((count) => {
      stored = JSON.stringify(reply(JSON.parse(stored), wordOf(count)).session)
    })
    const actor = begun()
    const actors = await perSecond((count) => actor.send({ type: 'reply', text: wordOf(count) }))
    let kept = JSON.stringify(begun().getPersistedSnapshot())
    const actorsStored = await perSecond((count) => {
      const resumed = createActor(machine, { snapshot: JSON.parse(kept) }).start()
      resumed.send({ type: 'reply', text: wordOf(count) })
      kept = JSON.stringify(resumed.getPersistedSnapshot())
    })
    const graphs = await perSecond((count) => runRivet(wordOf(count), count))
    const row = (name: string, turns: number, beside: number) =>
      console.info(
        `${name.padEnd(44)} ${String(Math.round(turns)).padStart(8)} turns a second   ours: ${(beside / turns).toFixed(2)} times`,
      )
    row('Parley, session in memory', ours, ours)
    row('Parley, session read and written as JSON', oursStored, oursStored)
    row('XState, actor in memory', actors, ours)
    row('XState, snapshot read and written as JSON', actorsStored, oursStored)
    row('Rivet, a run of its graph', graphs, ours)

    const long = await perSecond(() => longestTurn())
    console.info(`The longest turn that there may be, ${longestTurn()} blocks: ${(1_000 / long).toFixed(2)} ms`)

    const sessions = weigh((index) => reply(begin(), wordOf(index)).session)
    const machines = weigh((index) => {
      const one = begun()
      one.send({ type: 'reply', text: wordOf(index) })
      return one
    })
    console.info(
      `A waiting session: ${Math.round(sessions)} bytes of heap (${JSON.stringify(session).length} as JSON); ` +
        `an XState actor: ${Math.round(machines)} bytes (${kept.length} as JSON)`,
    )
  },
  { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 },
)
