import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type RedisServer, startRedisServer } from '../../../tests/support/redisServer'
import type { Bus, Listener } from './bus'
import { createRedisBus } from './redisBus'

let redis: RedisServer
const open: Bus[] = []
beforeAll(async () => {
  redis = await startRedisServer()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((bus) => bus.close()))
})
afterAll(() => redis.close())

/** Waits as long as a busy machine needs. */
const soon = <Value>(read: () => Value) => expect.poll(read, { timeout: 20_000 })

const quiet = { info() {}, warn() {} }

/** A process's bus whose periodic check is switched off. */
function connect(installation = 'here', url = redis.url): Bus {
  const bus = createRedisBus({
    url,
    installation: async () => installation,
    log: quiet,
    heartbeatMs: 100,
    lookMs: 1e9,
  })
  open.push(bus)
  return bus
}

interface Heard {
  texts: string[]
  from: Set<string>
  lost: string[]
  looks: number
}

function listenTo(bus: Bus, channel: string): Heard & { leave: () => void } {
  const heard: Heard = { texts: [], from: new Set(), lost: [], looks: 0 }
  const listener: Listener = {
    hear(message, from) {
      heard.texts.push(Buffer.from(message).toString())
      heard.from.add(from)
    },
    look: () => heard.looks++,
    lose: (process) => heard.lost.push(process),
  }
  return Object.assign(heard, { leave: bus.subscribe(channel, listener) })
}

/** Two processes that are connected. */
async function pair() {
  const [one, two] = [connect(), connect()]
  const [atOne, atTwo] = [listenTo(one, 'talk'), listenTo(two, 'talk')]
  await soon(() => {
    one.publish('talk', Buffer.from('hello'))
    two.publish('talk', Buffer.from('hello'))
    return atOne.texts.length > 0 && atTwo.texts.length > 0
  }).toBe(true)
  return { one, two, atOne, atTwo }
}

const say = (bus: Bus, text: string, channel = 'talk') => bus.publish(channel, Buffer.from(text))

test('what one process says the others hear, and it does not hear itself', async () => {
  const { one, two, atOne, atTwo } = await pair()
  const three = listenTo(two, 'talk')
  say(one, 'from one')
  await soon(() => atTwo.texts).toContain('from one')
  expect(three.texts).toContain('from one')
  say(two, 'from two')
  await soon(() => atOne.texts).toContain('from two')
  expect(atOne.texts).not.toContain('from one')
  expect(atOne.from.size).toBe(1)
})

test('who stopped listening hears nothing, and neither does who listens to something else', async () => {
  const { one, two, atTwo } = await pair()
  const other = listenTo(two, 'other')
  const left = listenTo(two, 'talk')
  left.leave()
  const heard = left.texts.length
  say(one, 'after')
  await soon(() => atTwo.texts).toContain('after')
  expect(left.texts).toHaveLength(heard)
  expect(other.texts).toEqual([])
})

test('installations that share a Redis are apart', async () => {
  const { one, atTwo } = await pair()
  const elsewhere = connect('elsewhere')
  const there = listenTo(elsewhere, 'talk')
  await soon(() => there.looks).toBeGreaterThan(0)
  say(one, 'ours')
  await soon(() => atTwo.texts).toContain('ours')
  expect(there.texts).toEqual([])
})

test('who begins to listen is told to look, since what was said before is unheard', async () => {
  const { one } = await pair()
  const late = listenTo(one, 'late')
  await soon(() => late.looks).toBeGreaterThan(0)
})

test('a process that says goodbye is lost at once', async () => {
  const { one, two, atOne } = await pair()
  open.splice(open.indexOf(two), 1)
  await two.close()
  await soon(() => atOne.lost).toEqual(expect.arrayContaining([...atOne.from]))
  say(one, 'to nobody')
})

test('without Redis everybody is lost and who listens looks again and again; when it is back all hear again', async () => {
  const { one, two, atOne, atTwo } = await pair()
  const leaves = listenTo(one, 'left meanwhile')
  await soon(() => leaves.looks).toBeGreaterThan(0)
  await redis.stop()
  await soon(() => atOne.lost.length > 0 && atTwo.lost.length > 0).toBe(true)
  leaves.leave()
  const { looks } = atOne
  await soon(() => atOne.looks).toBeGreaterThan(looks + 2)
  say(one, 'unheard')
  await redis.start()
  await soon(() => {
    say(one, 'again')
    say(two, 'again')
    return atOne.texts.includes('again') && atTwo.texts.includes('again')
  }).toBe(true)
  expect(atTwo.texts).not.toContain('unheard')
  // what nobody listens to any more is not sent to this process again
  const asking = new Redis(redis.url)
  const channels = await asking.pubsub('CHANNELS').finally(() => asking.disconnect())
  expect((channels as string[]).toSorted()).toEqual(['parley:here:processes', 'parley:here:talk'])
})

test('a Redis that is there and silent is away too', async () => {
  const { atOne } = await pair()
  redis.freeze(true)
  const { looks } = atOne
  try {
    await soon(() => atOne.lost.length).toBeGreaterThan(0)
    await soon(() => atOne.looks).toBeGreaterThan(looks + 2)
  } finally {
    redis.freeze(false)
  }
})

test('a process starts, speaks and stops where there is no Redis', async () => {
  const lonely = connect('here', 'redis://127.0.0.1:1')
  const heard = listenTo(lonely, 'talk')
  say(lonely, 'hello?')
  await soon(() => heard.looks).toBeGreaterThan(1)
  open.splice(open.indexOf(lonely), 1)
  await lonely.close()
})

test('what calls for a look during a round of looks brings another round, once it ends', async () => {
  const one = connect()
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const texts: string[] = []
  let looks = 0
  one.subscribe('talk', {
    hear: (message) => texts.push(Buffer.from(message).toString()),
    async look() {
      looks++
      await held
    },
  })
  await soon(() => looks).toBe(1)
  // another process appears: what it did before it was heard of is read from the database
  const two = connect()
  await soon(() => {
    say(two, 'here I am')
    return texts.length > 0
  }).toBe(true)
  expect(looks).toBe(1)
  release()
  await soon(() => looks).toBe(2)
})

test('a bus that is closed says nothing of its own end, and stops asking for the name of its installation', async () => {
  const warnings: string[] = []
  const asked = { closed: 0, open: 0 }
  const named = (process: keyof typeof asked, log = quiet) =>
    createRedisBus({
      url: redis.url,
      async installation() {
        asked[process]++
        throw new Error('the database is starting')
      },
      log,
      heartbeatMs: 20,
    })
  const log = { info() {}, warn: (...said: unknown[]) => void warnings.push(String(said.at(-1))) }
  const connected = createRedisBus({ url: redis.url, installation: async () => 'here', log, heartbeatMs: 100 })
  const heard = listenTo(connected, 'talk')
  await soon(() => heard.looks).toBeGreaterThan(0)
  const waiting = named('closed')
  await soon(() => asked.closed).toBeGreaterThan(0)
  await Promise.all([connected.close(), waiting.close()])
  const before = asked.closed
  // one of the same age that goes on shows when another try would have come
  open.push(named('open'))
  await soon(() => asked.open).toBeGreaterThan(5)
  expect(asked.closed).toBe(before)
  expect(warnings).toEqual([])
})

test('no connection is made until the installation has its name, whoever listens', async () => {
  const met: string[] = []
  const server = createServer((socket) => {
    socket.once('data', (data) => met.push(String(data).split('\r\n')[2] ?? ''))
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let tell = (_name: string) => {}
  const name = new Promise<string>((resolve) => {
    tell = resolve
  })
  const bus = createRedisBus({ url: `redis://127.0.0.1:${port}`, installation: () => name, log: quiet })
  open.push(bus)
  listenTo(bus, 'talk')
  // a connection that was begun later than the bus could have
  await new Promise(setImmediate)
  const socket = createConnection(port, '127.0.0.1', () => socket.write('*1\r\n$4\r\nmine\r\n'))
  await soon(() => met).toContain('mine')
  expect(met).toEqual(['mine'])
  tell('here')
  await soon(() => met.length).toBeGreaterThanOrEqual(3)
  socket.destroy()
  await bus.close()
  server.close()
})
