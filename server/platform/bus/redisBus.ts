import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { Redis, type RedisOptions } from 'ioredis'
import { redisOptions } from '../redisOptions'
import type { Bus, Listener } from './bus'
import { createPeers } from './peers'

export interface RedisBusOptions {
  url: string
  /** the installation's name: others may use the same Redis */
  installation: () => Promise<string>
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** heartbeat interval; a process that misses five is considered gone */
  heartbeatMs?: number
  /** interval of periodic checks: a process that was cut off could not announce what it stored */
  lookMs?: number
}

/** The length of the sender's id before each message. */
const NAME_BYTES = 16
const ALIVE = Buffer.from('alive')
const BYE = Buffer.from('bye')
const LOOKING_AT_ONCE = 4
const GOODBYE_MS = 500

/**
 * A bus over Redis publish/subscribe. Its health is measured: a process that does not receive its own heartbeat is cut
 * off, whatever its connections report. While it is, subscribers check the database, one round after another.
 */
export function createRedisBus({ url, installation, log, heartbeatMs = 1_000, lookMs = 15_000 }: RedisBusOptions): Bus {
  const patience = heartbeatMs * 5
  const self = randomBytes(NAME_BYTES / 2).toString('hex')
  const listeners = new Map<string, Set<Listener>>()
  const options: RedisOptions = {
    // subscribers that miss a message check the database
    ...redisOptions,
    lazyConnect: true,
    autoResubscribe: false,
  }
  const speaker = new Redis(url, options)
  const hearer = new Redis(url, options)
  let prefix: string | null = null
  let hearing = false
  let wasAway = false
  let closed = false
  let heardSelfAt = performance.now()
  let beatAt = performance.now()
  let lookedAt = performance.now()

  const peers = createPeers({ patience, onMet: lookAll, onLost: (process) => forAll((one) => one.lose?.(process)) })
  const nameOf = (channel: string) => `${prefix}:${channel}`
  const heartbeats = () => nameOf('processes')

  function forAll(tell: (listener: Listener) => void) {
    for (const some of [...listeners.values()]) for (const one of [...some]) tell(one)
  }

  function say(name: string, message: Uint8Array) {
    if (speaker.status !== 'ready') return
    speaker.publish(name, Buffer.concat([Buffer.from(self, 'latin1'), message])).catch(() => {})
  }

  async function look(listener: Listener) {
    try {
      await listener.look()
    } catch (error) {
      log.warn({ err: error }, 'what other processes did could not be read')
    }
  }

  /**
   * One round at a time, a few subscribers in parallel: a thousand open documents must not use up the database
   * connections.
   */
  let round: Promise<void> | null = null
  let roundAgain = false
  function lookAll() {
    if (round) {
      roundAgain = true
      return
    }
    const left = [...listeners.values()].flatMap((some) => [...some]).values()
    const worker = async () => {
      for (const listener of left) if (!closed) await look(listener)
    }
    round = Promise.all(Array.from({ length: LOOKING_AT_ONCE }, worker)).then(() => {
      round = null
      lookedAt = performance.now()
      if (!roundAgain || closed) return
      roundAgain = false
      lookAll()
    })
  }

  hearer.on('messageBuffer', (name: Buffer, data: Buffer) => {
    const from = data.toString('latin1', 0, NAME_BYTES)
    const message = data.subarray(NAME_BYTES)
    const channel = name.toString().slice((prefix?.length ?? 0) + 1)
    if (from === self) return channel === 'processes' ? hearSelf() : undefined
    if (channel === 'processes' && message.equals(BYE)) return peers.leaves(from)
    peers.seen(from)
    for (const listener of [...(listeners.get(channel) ?? [])]) {
      try {
        listener.hear(message, from)
      } catch (error) {
        log.warn({ err: error }, 'what another process said could not be read')
      }
    }
  })

  function hearSelf() {
    heardSelfAt = performance.now()
    if (hearing) return
    hearing = true
    if (wasAway) log.info('Redis is back')
    wasAway = false
    lookAll()
  }

  function lostTouch(reason: unknown) {
    hearing = false
    if (wasAway || closed) return
    wasAway = true
    log.warn({ err: reason }, 'Redis is away: what other processes do is read from the database meanwhile')
  }

  hearer.on('ready', () => {
    const names = [heartbeats(), ...[...listeners.keys()].map(nameOf)]
    hearer
      .subscribe(...names)
      .then(beat)
      .catch(() => hearer.disconnect(true))
  })
  speaker.on('ready', beat)
  for (const connection of [speaker, hearer]) {
    connection.on('error', lostTouch)
    connection.on('close', () => lostTouch(new Error('the connection was closed')))
  }

  function beat() {
    say(heartbeats(), ALIVE)
  }

  const timer = setInterval(() => {
    const now = performance.now()
    // after a stall of this process, messages of the others are still unread
    const heldUp = now - beatAt > patience / 2
    beatAt = now
    if (prefix === null) return
    beat()
    if (!heldUp) {
      peers.judge()
      if (hearing && now - heardSelfAt > patience) {
        lostTouch(new Error('nothing is heard from it'))
        // the connection may be half open: no event reports that the other side is gone
        for (const connection of [speaker, hearer]) connection.disconnect(true)
      }
    }
    if (now - lookedAt > (hearing ? lookMs : heartbeatMs * 2)) lookAll()
  }, heartbeatMs).unref()

  async function connect() {
    while (!closed && prefix === null) {
      prefix = await installation().then(
        (name) => `parley:${name}`,
        async () => {
          await new Promise((resolve) => setTimeout(resolve, heartbeatMs).unref())
          return null
        },
      )
    }
    if (closed) return
    // each retries on its own
    for (const connection of [speaker, hearer]) connection.connect().catch(() => {})
  }
  void connect()

  return {
    publish(channel, message) {
      if (prefix !== null) say(nameOf(channel), message)
    },
    subscribe(channel, listener) {
      const some = listeners.get(channel) ?? new Set()
      const isFirst = some.size === 0
      some.add(listener)
      listeners.set(channel, some)
      if (hearer.status === 'ready') {
        const subscribed = isFirst ? hearer.subscribe(nameOf(channel)) : Promise.resolve()
        subscribed.then(() => (some.has(listener) ? look(listener) : undefined)).catch(() => {})
      }
      return () => {
        some.delete(listener)
        if (some.size > 0 || listeners.get(channel) !== some) return
        listeners.delete(channel)
        if (hearer.status === 'ready') hearer.unsubscribe(nameOf(channel)).catch(() => {})
      }
    },
    async close() {
      closed = true
      clearInterval(timer)
      listeners.clear()
      if (speaker.status === 'ready') {
        const said = speaker.publish(heartbeats(), Buffer.concat([Buffer.from(self, 'latin1'), BYE])).catch(() => {})
        await Promise.race([said, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())])
      }
      for (const connection of [speaker, hearer]) connection.disconnect()
      await round
    },
  }
}
