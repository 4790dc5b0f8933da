import { describe, expect, test } from 'vitest'
import { createGate, type GateLimits, withoutPlace } from './admission'

const limits: GateLimits = {
  atOnce: 4,
  ofOne: 2,
  waitingOfOne: 3,
  waiting: 6,
  outsideOfOne: 5,
  waitMs: 60_000,
  refuseMs: 0,
}

/** Calls that run until they are told to end. */
function calls(own: Partial<GateLimits> = {}) {
  const gate = createGate({ ...limits, ...own })
  const working: { tenant: string; end: () => void }[] = []
  const call = (tenant: string) =>
    gate.run(tenant, () => new Promise<void>((resolve) => working.push({ tenant, end: resolve })))
  const tenants = () => working.map(({ tenant }) => tenant).join('')
  return { gate, call, working, tenants }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Calls still waiting at the end of a test are refused later. */
const refused = () => undefined

describe('a gate', () => {
  test('gives one tenant so many places, lets so many wait, and refuses the rest at once', async () => {
    const { call, tenants } = calls()
    const outcomes = Array.from({ length: 20 }, () =>
      call('a').then(
        () => 'done',
        ({ code }) => code as string,
      ),
    )
    await settled()
    expect(tenants()).toBe('aa')
    expect(await Promise.all(outcomes.slice(5))).toEqual(Array(15).fill('overloaded'))
    void call('b').catch(refused)
    await settled()
    expect(tenants()).toBe('aab')
  })

  test('serves those who wait by turns, each in its order', async () => {
    const { call, working, tenants } = calls({ atOnce: 1 })
    for (const tenant of ['a', 'a', 'a', 'b', 'c', 'b']) void call(tenant).catch(refused)
    for (let n = 0; n < 5; n++) {
      await settled()
      working[n]?.end()
    }
    await settled()
    expect(tenants()).toBe('aabcab')
  })

  test('tells who is refused when to come back, and refuses who has waited too long', async () => {
    const { call } = calls({ waitMs: 20 })
    void call('a').catch(refused)
    void call('a').catch(refused)
    await expect(call('a')).rejects.toMatchObject({ code: 'overloaded', retryAfter: expect.any(Number) })
  })

  test('tells those who are refused to come back at different times', async () => {
    const { gate, call } = calls({ waitingOfOne: 0 })
    void call('a').catch(refused)
    void call('a').catch(refused)
    await settled()
    const seconds = Array.from({ length: 30 }, () => gate.refusal('a')?.retryAfter)
    expect(new Set(seconds)).toEqual(new Set([1, 2, 3]))
  })

  test('has a place for others while a call waits for a service outside, within a bound', async () => {
    const { gate, call, tenants } = calls({ outsideOfOne: 3 })
    let answer = () => {}
    const service = new Promise<void>((resolve) => {
      answer = resolve
    })
    const outside = Array.from({ length: 3 }, () => gate.run('a', (place) => withoutPlace(place, () => service)))
    await settled()
    await expect(call('a')).rejects.toMatchObject({ code: 'overloaded' })
    answer()
    await Promise.all(outside)
    void call('a').catch(refused)
    void call('a').catch(refused)
    void call('a').catch(refused)
    await settled()
    expect(tenants()).toBe('aa')
  })

  test('what a call leaves running is not counted with it', async () => {
    const { gate, call, tenants } = calls()
    let later = Promise.resolve()
    await gate.run('a', (place) => {
      later = settled().then(() => withoutPlace(place, settled)) as Promise<void>
    })
    await later
    for (let n = 0; n < 5; n++) void call('a').catch(refused)
    await settled()
    expect(tenants()).toBe('aa')
  })

  test('who has waited too long is given no place later', async () => {
    const { call, working, tenants } = calls({ waitMs: 20 })
    for (let n = 0; n < 2; n++) void call('a').catch(refused)
    await expect(call('a')).rejects.toMatchObject({ code: 'overloaded' })
    working[0]?.end()
    await settled()
    void call('a').catch(refused)
    await settled()
    expect(tenants()).toBe('aaa')
  })

  test('a call that is back from a service counts again, also when it has waited for two at once', async () => {
    const { gate, call, tenants } = calls({ ofOne: 1 })
    let goOn = () => {}
    const service = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const back = new Promise<void>((resolve) => {
      void gate.run('a', async (place) => {
        const wait = () => withoutPlace(place, () => service)
        await Promise.all([wait(), wait()])
        resolve()
        await new Promise(() => {})
      })
    })
    goOn()
    await back
    void call('a').catch(refused)
    await settled()
    expect(tenants()).toBe('')
  })
})
