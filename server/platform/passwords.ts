import { hash, verify } from '@node-rs/argon2'
import { ApiError } from './errors'

/** argon2id: 19 MiB, two passes. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Each takes 19 MiB and a core: many logins at once must not starve the rest. */
const IN_PARALLEL = 2
const MOST_WAITING = 200

let running = 0
const waiting: (() => void)[] = []

/** Throws ApiError `overloaded` if too many are waiting. */
async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  if (running < IN_PARALLEL) running++
  else {
    if (waiting.length >= MOST_WAITING) throw new ApiError('overloaded')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, options))
}

let nobodys: Promise<string> | undefined

/** Without a hash (no such account) it takes the same time and returns false. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  nobodys ??= hash('nobody has this password', options)
  const against = stored ?? (await nobodys)
  const right = await inTurn(() => verify(against, password))
  return right && stored !== undefined
}
