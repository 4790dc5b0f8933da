import { register } from '../../server/contracts/auth'
import { createContact } from '../../server/contracts/contacts'
import { listProjects } from '../../server/contracts/projects'
import { OWNER_LINK, type RunningApp, startProcess } from '../support/app'
import { createClient, type TestClient } from '../support/client'

export const OWNER = { email: 'ada@example.com', password: 'correct horse battery' }

export interface Owned {
  app: RunningApp
  owner: TestClient
  pgid: string
}

/** Starts the built app over a folder without data, and makes its owner's account. */
export async function startOwned(env: Record<string, string>): Promise<Owned> {
  const app = await startProcess(env)
  const link = new URL(await app.prints(OWNER_LINK))
  const owner = await createClient(app.url)
  const setup_token = link.searchParams.get('setup_token') ?? undefined
  await owner.call(register, { body: { first_name: 'Ada', last_name: 'Owner', ...OWNER, setup_token } })
  const { projects } = await owner.call(listProjects)
  return { app, owner, pgid: projects[0]?.gid ?? '' }
}

/** Creates contacts one after the other until it is stopped, with the time when the server acknowledged each. */
export function keepWriting({ owner, pgid }: Pick<Owned, 'owner' | 'pgid'>, prefix: string) {
  const acknowledged: Date[] = []
  let over = false
  const done = (async () => {
    for (let at = 0; !over; at++) {
      const name = `${prefix}-${at}`
      await owner.call(createContact, { params: { pgid }, body: { fields: { name } } })
      acknowledged.push(new Date())
    }
  })()
  // a failure is the test's when it stops it
  done.catch(() => {})
  return {
    acknowledged,
    stop: () => {
      over = true
      return done
    },
  }
}

/** Seconds since a time of `performance.now()`, for the line that a drill prints. */
export const since = (began: number): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`
