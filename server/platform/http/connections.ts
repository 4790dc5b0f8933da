import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { type TrustProxy, trusts } from '../config/trustProxy'
import { ApiError } from '../errors'
import { callerAddress } from './callerAddress'
import { rawAnswer } from './rawAnswer'

export interface ConnectionLimits {
  /** connections of one address that may come at once: some sixty browsers behind one router open six each */
  burst: number
  /** and a second from then on: as often as `CHAT_STARTS_PER_MINUTE` lets one address in, with room for all that a page loads */
  perSecond: number
  /** connections that one address may hold, of all that there may be at most this share: an open chat holds one to three */
  open: number
  share: number
}

const connectionLimits: ConnectionLimits = { burst: 400, perSecond: 50, open: 2_000, share: 0.5 }

/** Seconds after which whoever was refused should come back: spread, so that they don't come as one. */
const RETRY_FROM = 2
const RETRY_UNTIL = 10
/** ms that who is refused has to ask, take the answer and leave, and how many may be at that: beyond it nobody is answered */
const LINGER = 2_000
const MOST_LINGERING = 2_000
/** ms for which connections that come are only taken, before one is served all the same */
const TAKE_FIRST = 5
/** ms after which addresses are forgotten that hold nothing */
const FORGET_EVERY = 10_000

interface Caller {
  open: number
  /** when the next connection would be due, were they to come evenly */
  due: number
  waiting: Socket[]
}

const refused = new ApiError('overloaded')

/**
 * Shares out the server's connections between the addresses that they come from, before anything of HTTP is done for them. The system has them in
 * one row and Node takes one of it a turn of the event loop, so that whoever comes behind a thousand others waits until each of those was
 * served. Here they are all taken first, which is quick; then one is served a turn, of the address that holds fewest. Who brings more than
 * the limits is answered a prepared 503 when there is time for it. Proxies that are trusted speak for many, and are let through.
 * @param server one that nobody listens to but itself
 * @param now ms, for tests
 */
export function shareConnections(
  server: Server,
  trust: TrustProxy,
  log: FastifyBaseLogger,
  limits = connectionLimits,
  now = () => performance.now(),
): void {
  const callers = new Map<string, Caller>()
  const waiting = new Set<Caller>()
  const interval = 1_000 / limits.perSecond
  const answers = Array.from({ length: RETRY_UNTIL - RETRY_FROM + 1 }, (_, n) =>
    rawAnswer(new ApiError('overloaded', { retryAfter: RETRY_FROM + n })),
  )
  const refusals: Socket[] = []
  let lingering = 0
  let forgotten = now()
  let served = 0
  let took = false
  let looking = false

  const listeners = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  server.removeAllListeners('connection')
  const serve = (socket: Socket) => {
    for (const listener of listeners) listener.call(server, socket)
  }

  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    // gone already, or let through
    if (!address || trusts(trust, address)) return serve(socket)
    const caller = callerOf(callerAddress(address))
    // nobody else hears of it before it is served
    socket.on('error', ignore)
    if (admit(caller)) {
      caller.open += 1
      caller.waiting.push(socket)
      waiting.add(caller)
      socket.once('close', () => {
        caller.open -= 1
      })
    } else refuse(socket)
    took = true
    if (!looking) setImmediate(serveNext)
    looking = true
  })

  function callerOf(name: string): Caller {
    const time = now()
    if (time - forgotten > FORGET_EVERY) {
      forgotten = time
      for (const [name, { open, due }] of callers) if (open === 0 && due <= time) callers.delete(name)
    }
    const known = callers.get(name)
    if (known) return known
    const caller = { open: 0, due: 0, waiting: [] }
    callers.set(name, caller)
    return caller
  }

  function admit(caller: Caller): boolean {
    const time = now()
    const due = Math.max(caller.due, time) + interval
    if (due - time > limits.burst * interval) return false
    if (caller.open >= Math.min(limits.open, (server.maxConnections ?? Infinity) * limits.share)) return false
    caller.due = due
    return true
  }

  function serveNext(): void {
    const more = took && now() - served < TAKE_FIRST
    took = false
    if (!more) {
      let first: Caller | undefined
      for (const caller of waiting) if (!first || caller.open < first.open) first = caller
      const socket = first?.waiting.shift()
      if (first?.waiting.length === 0) waiting.delete(first)
      served = now()
      if (socket && !socket.destroyed) serve(socket)
      const refusal = refusals.shift()
      if (refusal) answer(refusal)
    }
    looking = waiting.size + refusals.length > 0
    if (looking) setImmediate(serveNext)
  }

  function refuse(socket: Socket): void {
    log.error({ err: refused, address: socket.remoteAddress }, 'a connection was refused')
    if (lingering >= MOST_LINGERING) return void socket.destroy()
    lingering += 1
    refusals.push(socket)
    socket.once('close', () => {
      lingering -= 1
    })
  }

  function answer(socket: Socket): void {
    setTimeout(() => socket.destroy(), LINGER).unref()
    // once its call is here: a client that is answered before it has asked takes it for a fault, and connects again at once. What it
    // sends then is read: a connection that ends on unread bytes is reset, and its answer lost with it.
    socket.resume().once('data', () => socket.end(answers[Math.floor(Math.random() * answers.length)] as Buffer))
  }
}

const ignore = () => {}
